"""Asks a file what PyProf's parser asks a database of nvprof, with statements of the same tables and columns, and prints
each kernel with the ranges around its launch, outermost first."""
import binascii
import sqlite3
import struct
import sys

database = sqlite3.connect(sys.argv[1])
database.row_factory = sqlite3.Row


def select(statement):
    return database.execute(statement).fetchall()


assert len(select("SELECT * FROM sqlite_master WHERE type='table' AND name='StringTable'")) == 1
database.execute(
    "CREATE TEMPORARY TABLE marker AS SELECT a._id_ AS id, a.timestamp AS startTime, b.timestamp AS endTime, "
    "HEX(a.objectId) AS objectId, a.name AS name FROM CUPTI_ACTIVITY_KIND_MARKER AS a INNER JOIN "
    "CUPTI_ACTIVITY_KIND_MARKER AS b ON a.id = b.id AND a.flags = 2 AND b.flags = 4")
for table, column in (("DRIVER", "start"), ("RUNTIME", "start"), ("CONCURRENT_KERNEL", "start"), ("MARKER", "timestamp")):
    select(f"SELECT {column} FROM CUPTI_ACTIVITY_KIND_{table} ORDER BY {column} ASC LIMIT 1")
for kernel in select(
        "SELECT name AS nameId, strings.value AS name, correlationId, start, end, deviceId, streamId, gridX, gridY, "
        "gridZ, blockX, blockY, blockZ FROM CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL JOIN StringTable AS strings ON "
        "(nameId = strings._id_)"):
    calls = []
    for table in ("RUNTIME", "DRIVER"):
        calls = calls or select(f"SELECT start, end, processId, threadId FROM CUPTI_ACTIVITY_KIND_{table} "
                                f"WHERE correlationId = {kernel['correlationId']}")
    assert len(calls) == 1 and calls[0]["end"] > calls[0]["start"]
    thread = struct.pack("<i", calls[0]["processId"]) + struct.pack("<q", calls[0]["threadId"] & 0xFFFFFFFF)
    ranges = select(f"SELECT name FROM marker WHERE objectId = \"{binascii.hexlify(thread).decode().upper()}\" AND "
                    f"startTime < {calls[0]['start']} AND endTime > {calls[0]['end']} ORDER BY startTime ASC")
    names = [select(f"SELECT value FROM StringTable WHERE _id_ = {row['name']}")[0]["value"] for row in ranges]
    print(kernel["name"], "in", "/".join(names))
