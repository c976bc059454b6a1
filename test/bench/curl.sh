#!/bin/sh
# An export without vane: one curl for each window, $1 of them at once. Takes lines of `file url`
# on stdin, the urls with format=csv, and leaves a file for each window.
exec xargs -P "$1" -n 2 curl --silent --fail --output
