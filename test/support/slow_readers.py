"""Opens connections that read no response but its first bytes.

Each line of stdin opens one. The line has the bytes to send in base64, in two parts: the second is sent once the
first response begins. Prints a line when both are sent. Arguments: host, port, address to connect from.
Node cannot make a receive buffer small, and with a large one the system takes megabytes before a server notices.
"""

import base64
import socket
import sys

host, port, local_address = sys.argv[1:]
connections = []
for line in sys.stdin:
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.bind((local_address, 0))
    connection.connect((host, int(port)))
    first, second = (base64.b64decode(part) for part in line.split(","))
    connection.sendall(first)
    connection.recv(12)
    connection.sendall(second)
    connections.append(connection)
    print(len(connections), flush=True)
