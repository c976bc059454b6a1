#!/bin/sh
curl --fail 'http://localhost:8086/query' --data-urlencode 'q=CREATE DATABASE wind'
vane archive 110 603 --start 30d -f influx |
  curl --fail --data-binary @- 'http://localhost:8086/write?db=wind'
vane watch 110 603 -f influx | while read -r point; do
  curl --fail --silent --data-binary "$point" 'http://localhost:8086/write?db=wind'
done
