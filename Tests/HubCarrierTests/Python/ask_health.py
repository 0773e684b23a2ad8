"""Asks a hub's health service with grpcio-health-checking: `ask_health.py PORT CERTIFICATE COMMAND`.

`check [SERVICE]` prints a status or an error's code. `watch` prints each status until the call ends, then the code it ended with.
"""

import sys

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

port, certificate, command, *rest = sys.argv[1:]
with open(certificate, "rb") as file:
    credentials = grpc.ssl_channel_credentials(file.read())
channel = grpc.secure_channel(f"localhost:{port}", credentials)
stub = health_pb2_grpc.HealthStub(channel)
name = health_pb2.HealthCheckResponse.ServingStatus.Name
request = health_pb2.HealthCheckRequest(service=rest[0] if rest else "")
try:
    if command == "check":
        print(name(stub.Check(request, timeout=60).status), flush=True)
    else:
        for response in stub.Watch(request, timeout=60):
            print(name(response.status), flush=True)
except grpc.RpcError as error:
    print(error.code().name, flush=True)
