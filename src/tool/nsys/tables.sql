-- The tables of Nsight Systems that reports read, with the columns that they read.
CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT UNIQUE);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, "end", deviceId, contextId, streamId, correlationId, globalPid,
    demangledName, registersPerThread, gridX, gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory,
    dynamicSharedMemory, context, instance);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start, "end", deviceId, contextId, streamId, correlationId, globalPid, bytes,
    copyKind, srcKind, dstKind, virtualAddress, nameId, context, instance);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start, "end", deviceId, contextId, streamId, correlationId, globalPid, bytes,
    memKind, nameId, context, instance);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start, "end", globalTid, correlationId, nameId, context);
CREATE TABLE NVTX_EVENTS(start, "end", eventType, globalTid, endGlobalTid, textId, context);
CREATE TABLE stint_device_events(start, "end", kind, nameId, bytes, virtualAddress);
CREATE TEMP TABLE report_event_scopes(context INTEGER PRIMARY KEY, scope, stat, waiting);
CREATE TEMP VIEW report_nvtx AS
SELECT e.rowid AS id, e.start, e."end", e.eventType, e.globalTid, e.endGlobalTid, s.value AS name, e.context
FROM NVTX_EVENTS e JOIN StringIds s ON s.id = e.textId;
