-- A recording of stint's own, cut short, with rows in each table that stint reads.
PRAGMA user_version=1;
CREATE TABLE StringIds(id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds(id, value) VALUES
    (1, 'stint'),
    (2, 'outer'),
    (3, 'in"ner'),
    (4, 'range'),
    (5, 'mark'),
    (6, 'cudaLaunchKernel'),
    (7, '[x]'),
    (8, 'k<int>'),
    (9, 'k'),
    (2147483648, 'mark#id=7#'),
    (2147483649, 'inner#a=1#');
CREATE TABLE PROCESSES(globalPid INTEGER, pid INTEGER, name TEXT);
INSERT INTO PROCESSES(globalPid, pid, name) VALUES
    (1291845632, 77, 'train --fast');
CREATE TABLE ThreadNames(nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
INSERT INTO ThreadNames(nameId, priority, globalTid) VALUES
    (1, 0, 1291845643);
CREATE TABLE TARGET_INFO_GPU(vmId INTEGER, id INTEGER, name TEXT, totalMemory INTEGER, memoryBandwidth INTEGER,
    clockRate INTEGER, smCount INTEGER, cuDevice INTEGER, computeMajor INTEGER, computeMinor INTEGER);
INSERT INTO TARGET_INFO_GPU(vmId, id, name, totalMemory, memoryBandwidth, clockRate, smCount, cuDevice, computeMajor,
    computeMinor) VALUES
    (0, 0, 'GPU of a test', 85899345920, 3352000000, 1980000, 132, 0, 9, 0);
CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL, uuid TEXT,
    numMultiprocessors INTEGER);
INSERT INTO TARGET_INFO_CUDA_DEVICE(gpuId, cudaId, pid, uuid, numMultiprocessors) VALUES
    (0, 0, 77, 'GPU-00000000-0000-0000-0000-000000000000', 132);
CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);
INSERT INTO TARGET_INFO_SESSION_START_TIME(utcEpochNs, utcTime, localTime) VALUES
    (1700000000123456789, '2023-11-14T22:13:20.123456789Z', NULL);
CREATE TABLE ANALYSIS_DETAILS(globalVid INTEGER NOT NULL, duration INTEGER NOT NULL, startTime INTEGER NOT NULL,
    stopTime INTEGER NOT NULL);
INSERT INTO ANALYSIS_DETAILS(globalVid, duration, startTime, stopTime) VALUES
    (0, 9000000000, 0, 9000000000);
CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);
INSERT INTO META_DATA_EXPORT(name, value) VALUES
    ('EXPORT_PRODUCT_NAME', 'stint'),
    ('EXPORT_PRODUCT_VERSION', '0.1.0'),
    ('EXPORT_SCHEMA_VERSION', '3.24.14'),
    ('STINT_STORE_VERSION', '1');
CREATE TABLE NVTX_EVENTS(start INTEGER NOT NULL, "end" INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER,
    text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER REFERENCES StringIds(id), domainId INTEGER,
    context INTEGER, category INTEGER, color INTEGER, seq INTEGER, opId INTEGER,
    dataId INTEGER REFERENCES stint_operation_data(id), uint64Value INTEGER AS (NULL), int64Value INTEGER AS (NULL),
    doubleValue REAL AS (NULL), uint32Value INTEGER AS (NULL),
    int32Value INTEGER AS (NULL), floatValue REAL AS (NULL), jsonTextId INTEGER AS (NULL), jsonText TEXT AS (NULL),
    binaryData TEXT AS (NULL));
INSERT INTO NVTX_EVENTS(start, "end", eventType, rangeId, text, globalTid, endGlobalTid, textId, domainId,
    context, category, color, seq, opId, dataId) VALUES
    (0, NULL, 75, NULL, NULL, 1291845632, NULL, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL),
    (900, 22817422267, 59, NULL, NULL, 1291845643, NULL, 2, 1, 1, NULL, NULL, 54, 783, 1),
    (2004, 3161, 59, NULL, NULL, 1291845644, NULL, 3, 1, NULL, NULL, NULL, NULL, NULL, NULL),
    (4000, 700000, 60, NULL, NULL, 1291845644, NULL, 4, 0, NULL, 3, -16777216, NULL, NULL, NULL),
    (4500, NULL, 34, NULL, NULL, 1291845644, NULL, 2147483648, 0, NULL, 3, 4278255360, NULL, NULL, NULL),
    (21743279192, 21743281118, 59, NULL, NULL, 1291845643, NULL, 2147483649, 1, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE stint_operation_data(id INTEGER PRIMARY KEY, data TEXT NOT NULL);
INSERT INTO stint_operation_data(id, data) VALUES
    (1, ', sizes = [[64, 16]], input_op_ids = [(+3,0), (-5,1), (0,-1)]');
CREATE TABLE OSRT_API(start INTEGER NOT NULL, "end" INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER,
    nameId INTEGER NOT NULL REFERENCES StringIds(id), returnValue INTEGER NOT NULL, nestingLevel INTEGER,
    callchainId INTEGER NOT NULL, context INTEGER);
INSERT INTO OSRT_API(start, "end", eventClass, globalTid, nameId, returnValue, nestingLevel, callchainId, context) VALUES
    (1000, 1900, 27, 1291845643, 6, 0, NULL, 0, NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(_id_ INTEGER PRIMARY KEY, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
    eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER,
    nameId INTEGER NOT NULL REFERENCES StringIds(id), returnValue INTEGER NOT NULL, callchainId INTEGER,
    context INTEGER, cbid INTEGER AS (0), processId INTEGER AS (globalTid >> 24 & 16777215),
    threadId INTEGER AS (globalTid & 16777215));
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME(_id_, start, "end", eventClass, globalTid, correlationId, nameId,
    returnValue, callchainId, context) VALUES
    (1, 5000, 5000, 0, 1291845643, 1099511627776, 6, 0, NULL, 0),
    (2, 5400, 5412, 0, 1291845643, 1099511627788, 6, 0, NULL, 0),
    (3, 5800, 5824, 0, 1291845643, 1099511627800, 6, 0, NULL, 0),
    (4, 6200, 6236, 0, 1291845643, 1099511627812, 6, 0, NULL, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(_id_ INTEGER PRIMARY KEY, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
    deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL,
    correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL REFERENCES StringIds(id),
    shortName INTEGER NOT NULL REFERENCES StringIds(id), mangledName INTEGER REFERENCES StringIds(id),
    launchType INTEGER, cacheConfig INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL,
    gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL,
    blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL,
    localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL, gridId INTEGER NOT NULL,
    sharedMemoryExecuted INTEGER, graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER, graphId INTEGER,
    context INTEGER, instance INTEGER, name INTEGER AS (demangledName));
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(_id_, start, "end", deviceId, contextId, greenContextId, streamId,
    correlationId, globalPid, demangledName, shortName, mangledName, launchType, cacheConfig, registersPerThread,
    gridX, gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory, localMemoryPerThread,
    localMemoryTotal, gridId, sharedMemoryExecuted, graphNodeId, sharedMemoryLimitConfig, graphId, context,
    instance) VALUES
    (1, 5300, 5329, 0, 0, NULL, 29, 1099511627805, 1291845632, 8, 9, NULL, NULL, NULL, 29, 0, 29, 0, 0, 0, 29, 0, 0,
    0, 0, 0, NULL, 0, NULL, 29, NULL, NULL),
    (2, 5700, 5701, 0, 0, NULL, 1, 1099511627777, 1291845632, 8, 9, NULL, NULL, NULL, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0,
    0, 0, NULL, 0, NULL, 1, 1, NULL),
    (3, 6100, 6113, 0, 0, NULL, 13, 1099511627789, 1291845632, 8, 9, NULL, NULL, NULL, 13, 0, 13, 0, 0, 0, 13, 0, 0,
    0, 0, 0, NULL, 0, NULL, 13, 1, NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(_id_ INTEGER PRIMARY KEY, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
    deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL,
    correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL,
    deprecatedSrcId INTEGER, srcKind INTEGER, dstKind INTEGER, srcDeviceId INTEGER, srcContextId INTEGER,
    dstDeviceId INTEGER, dstContextId INTEGER, migrationCause INTEGER, graphNodeId INTEGER, virtualAddress INTEGER,
    copyCount INTEGER, graphId INTEGER, nameId INTEGER, context INTEGER, instance INTEGER, flags INTEGER AS (0));
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY(_id_, start, "end", deviceId, contextId, greenContextId, streamId,
    correlationId, globalPid, bytes, copyKind, deprecatedSrcId, srcKind, dstKind, srcDeviceId, srcContextId,
    dstDeviceId, dstContextId, migrationCause, graphNodeId, virtualAddress, copyCount, graphId, nameId, context,
    instance) VALUES
    (1, 5200, 5206, 0, 0, NULL, 6, 1099511627782, 1291845632, 2199023255558, 10, NULL, 2, 7, 0, 0, 6, 0, NULL, NULL,
    NULL, NULL, NULL, 7, 0, NULL),
    (2, 5600, 5618, 0, 0, NULL, 18, 1099511627794, 1291845632, 2199023255570, 10, NULL, 2, 7, 0, 0, 18, 0, NULL,
    NULL, NULL, NULL, NULL, 7, 0, NULL),
    (3, 6000, 6030, 0, 0, NULL, 30, 1099511627806, 1291845632, 2199023255582, 10, NULL, 2, 7, 0, 0, 30, 0, NULL,
    NULL, NULL, NULL, NULL, 7, 0, NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(_id_ INTEGER PRIMARY KEY, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
    deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL,
    correlationId INTEGER, globalPid INTEGER, value INTEGER NOT NULL, bytes INTEGER NOT NULL, graphNodeId INTEGER,
    memKind INTEGER, graphId INTEGER, nameId INTEGER, context INTEGER, instance INTEGER,
    memoryKind INTEGER AS (memKind), flags INTEGER AS (0));
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET(_id_, start, "end", deviceId, contextId, greenContextId, streamId,
    correlationId, globalPid, value, bytes, graphNodeId, memKind, graphId, nameId, context, instance) VALUES
    (1, 500, 900, 0, 1, NULL, 7, 3, NULL, 0, 64, NULL, 2, NULL, NULL, 0, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(_id_ INTEGER PRIMARY KEY, start INTEGER NOT NULL,
    "end" INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER,
    streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, deprecatedSyncType INTEGER,
    syncType INTEGER NOT NULL, eventId INTEGER NOT NULL, eventSyncId INTEGER, nameId INTEGER, context INTEGER,
    instance INTEGER, type INTEGER AS (syncType), cudaEventId INTEGER AS (eventId));
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(_id_, start, "end", deviceId, contextId, greenContextId, streamId,
    correlationId, globalPid, deprecatedSyncType, syncType, eventId, eventSyncId, nameId, context, instance) VALUES
    (1, 5100, 5123, 0, 0, NULL, 23, 1099511627799, 1291845632, NULL, 3, 0, NULL, 7, NULL, NULL),
    (2, 5500, 5535, 0, 0, NULL, 35, 1099511627811, 1291845632, NULL, 3, 0, NULL, 7, NULL, NULL);
CREATE TABLE stint_device_events(start INTEGER NOT NULL, "end" INTEGER NOT NULL, kind INTEGER NOT NULL,
    nameId INTEGER NOT NULL, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER,
    globalPid INTEGER, bytes INTEGER, virtualAddress INTEGER, context INTEGER, instance INTEGER);
INSERT INTO stint_device_events(start, "end", kind, nameId, deviceId, contextId, streamId, correlationId, globalPid,
    bytes, context, instance) VALUES
    (100, 200, 0, 1, 0, 1, 7, 3, NULL, 0, 0, 0),
    (100, 200, 1, 1, 0, 1, 7, 3, NULL, 10, 0, 0),
    (100, 200, 2, 1, 0, 1, 7, 3, NULL, 20, 0, 0),
    (100, 200, 3, 1, 0, 1, 7, 3, NULL, 30, 0, 0),
    (100, 200, 4, 1, 0, 1, 7, 3, NULL, 40, 0, 0),
    (100, 200, 5, 1, 0, 1, 7, 3, NULL, 50, 0, 0),
    (100, 200, 6, 1, 0, 1, 7, 3, NULL, 60, 0, 0),
    (100, 200, 7, 1, 0, 1, 7, 3, NULL, 70, 0, 0),
    (100, 200, 8, 1, 0, 1, 7, 3, NULL, 80, 0, 0),
    (100, 200, 9, 1, 0, 1, 7, 3, NULL, 90, 0, 0);
CREATE TABLE stint_samples(start INTEGER NOT NULL, "end" INTEGER AS (start), globalTid INTEGER NOT NULL, context INTEGER,
    stack INTEGER, duration INTEGER NOT NULL);
INSERT INTO stint_samples(start, globalTid, context, stack, duration) VALUES
    (300, 1291845643, 1, 0, 1000000),
    (400, 1291845644, NULL, NULL, 1000000);
CREATE TABLE stint_report(id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);
INSERT INTO stint_report(id, json) VALUES
    (1, '{"format":"stint-report","version":1,"process":{"pid":4711,"rank":"","command":"./\u001b[2Jnasty","host":"node07","start_unix_ns":1735689600000000000,"wall_ns":6000000},"clock":{"name":"tsc","hz":2494140000.0,"read_ns":8.3},"measured":{"total_ns":5000000,"activations":1,"recursive":0,"running":0,"running_ns":0},"overhead":{"scope_ns":19.2,"inside_ns":0.0,"total_ns":19.2},"dropped":{"nodes":0,"names":0,"sets":0,"threads":0,"memory":0,"reentrant":0,"truncated":0,"unnamed":0,"changed":0,"mismatched":0,"abandoned":0,"negative":0,"barriers":0,"gpu_records":0,"gpu_invalid":0,"gpu_unknown":0,"gpu_activities":0,"gpu_events":0,"gpu_spans":0,"nvtx_events":0,"nvtx_unknown":0,"nvtx_domains":0,"nvtx_strings":0,"nvtx_schemas":0,"nvtx_counters":0,"nvtx_values":0,"nvtx_names":0,"nvtx_depth":0,"nvtx_ranges":0,"events":0},"sets":["GlobalStatInfo"],"threads":[{"pid":4711,"tid":4711,"name":"train","exited":false}],"stats":[{"set":"GlobalStatInfo","name":"gpu\nscope","file":"src/train.c","line":10,"function":"train","by_thread":false,"count":1,"recursive":0,"total_ns":5000000,"self_ns":5000000,"min_ns":5000000,"max_ns":5000000,"square_ns2":25000000000000,"overhead_ns":0,"self_overhead_ns":0,"running":0,"running_ns":0,"avg_ns":5000000,"p50_ns":5000000,"p90_ns":5000000,"p99_ns":5000000,"stddev_ns":0.0,"bins":[[5000000,1]],"gpu":{"kernels":20,"kernel_ns":1700000,"copies":10,"copy_ns":600000,"copy_bytes":10000,"sets":0,"set_ns":0,"set_bytes":0,"spans":0,"span_ns":0,"launches":0,"launch_ns":0},"gpu_self":{"kernels":20,"kernel_ns":1700000,"copies":10,"copy_ns":600000,"copy_bytes":10000,"sets":0,"set_ns":0,"set_bytes":0,"spans":0,"span_ns":0,"launches":0,"launch_ns":0},"threads":[]}],"contexts":[{"stat":0,"parent":null,"depth":0,"count":1,"recursive":0,"total_ns":5000000,"self_ns":5000000,"min_ns":5000000,"max_ns":5000000,"square_ns2":25000000000000,"overhead_ns":0,"self_overhead_ns":0,"running":0,"running_ns":0,"bins":[[5000000,1]],"gpu":{"kernels":20,"kernel_ns":1700000,"copies":10,"copy_ns":600000,"copy_bytes":10000,"sets":0,"set_ns":0,"set_bytes":0,"spans":0,"span_ns":0,"launches":0,"launch_ns":0},"gpu_self":{"kernels":20,"kernel_ns":1700000,"copies":10,"copy_ns":600000,"copy_bytes":10000,"sets":0,"set_ns":0,"set_bytes":0,"spans":0,"span_ns":0,"launches":0,"launch_ns":0}}],"barriers":[],"gpu":{"collected":true,"status":"STINT_OK","reason":"","what":127,"cupti_version":12,"clock_error_ns":412.5,"early":2},"gpu_devices":[{"id":0,"name":"NVIDIA H100 80GB HBM3","compute_major":0,"compute_minor":0,"multiprocessors":0,"core_clock_khz":0,"memory_bytes":0,"memory_bytes_per_s":0,"link_bytes_per_s":0}],"gpu_memory":[],"gpu_activities":[{"kind":"kernel","name":"void begin<xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx>(float)","mangled":"_Zmangled","device":0,"context":1,"stream":7,"count":10,"recursive":0,"total_ns":900000,"self_ns":900000,"min_ns":90000,"max_ns":90000,"square_ns2":81000000000,"overhead_ns":0,"self_overhead_ns":0,"running":0,"running_ns":0,"avg_ns":90000,"p50_ns":90000,"p90_ns":90000,"p99_ns":90000,"stddev_ns":0.0,"bins":[[90000,10]],"bytes":0,"min_bytes":0,"max_bytes":0,"square_bytes2":0.0},{"kind":"kernel","name":"comma, \"quote\" and \\backslash","mangled":"_Zmangled","device":0,"context":1,"stream":7,"count":10,"recursive":0,"total_ns":800000,"self_ns":800000,"min_ns":80000,"max_ns":80000,"square_ns2":64000000000,"overhead_ns":0,"self_overhead_ns":0,"running":0,"running_ns":0,"avg_ns":80000,"p50_ns":80000,"p90_ns":80000,"p99_ns":80000,"stddev_ns":0.0,"bins":[[80000,10]],"bytes":0,"min_bytes":0,"max_bytes":0,"square_bytes2":0.0},{"kind":"kernel","name":"line\nbreak\u001b[31m and \ufffd","mangled":"_Zmangled","device":0,"context":1,"stream":7,"count":10,"recursive":0,"total_ns":700000,"self_ns":700000,"min_ns":70000,"max_ns":70000,"square_ns2":49000000000,"overhead_ns":0,"self_overhead_ns":0,"running":0,"running_ns":0,"avg_ns":70000,"p50_ns":70000,"p90_ns":70000,"p99_ns":70000,"stddev_ns":0.0,"bins":[[70000,10]],"bytes":0,"min_bytes":0,"max_bytes":0,"square_bytes2":0.0},{"kind":"copy","name":"[CUDA memcpy HtoD]","mangled":"","device":3,"context":1,"stream":4294967295,"count":10,"recursive":0,"total_ns":600000,"self_ns":600000,"min_ns":60000,"max_ns":60000,"square_ns2":36000000000,"overhead_ns":0,"self_overhead_ns":0,"running":0,"running_ns":0,"avg_ns":60000,"p50_ns":60000,"p90_ns":60000,"p99_ns":60000,"stddev_ns":0.0,"bins":[[60000,10]],"bytes":10000,"min_bytes":1000,"max_bytes":1000,"square_bytes2":10000000.0}],"gpu_charges":[{"activity":0,"context":0,"count":10,"total_ns":900000,"min_ns":90000,"max_ns":90000,"bytes":0},{"activity":1,"context":0,"count":10,"total_ns":800000,"min_ns":80000,"max_ns":80000,"bytes":0},{"activity":2,"context":"(no scope)","count":10,"total_ns":700000,"min_ns":70000,"max_ns":70000,"bytes":0},{"activity":3,"context":0,"count":10,"total_ns":600000,"min_ns":60000,"max_ns":60000,"bytes":10000}],"gpu_instances":[],"gpu_events":[{"kind":"kernel","name":"void begin<xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx>(float)","start_ns":0,"end_ns":90000,"correlation":1,"context":0,"device":0,"device_context":1,"stream":7,"grid":[195313,1,1],"block":[256,1,1],"registers":32,"static_shared":1142,"dynamic_shared":0},{"kind":"kernel","name":"comma, \"quote\" and \\backslash","start_ns":100000,"end_ns":180000,"correlation":2,"context":0,"device":0,"device_context":1,"stream":7,"grid":[195313,1,1],"block":[256,1,1],"registers":32,"static_shared":1142,"dynamic_shared":0},{"kind":"copy","name":"[CUDA memcpy HtoD]","start_ns":200000,"end_ns":200000,"correlation":3,"context":0,"device":3,"device_context":1,"stream":7,"bytes":1000},{"kind":"api","name":"cuda\nNew","start_ns":300000,"end_ns":300050,"correlation":4,"context":0,"tid":4711}],"nvtx":{"images":0,"open":0,"rest":0,"missing":0,"refused":0,"outlived":0,"outlived_set":"","outlived_name":""},"nvtx_values":[],"nvtx_names":[],"processes":[]}');
CREATE TABLE stint_contexts(path INTEGER NOT NULL UNIQUE, parent INTEGER NOT NULL, set_name TEXT NOT NULL,
    name TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL);
INSERT INTO stint_contexts(path, parent, set_name, name, file, line) VALUES
    (1, 0, 'GlobalStatInfo', 'outer', '', 0);
CREATE TABLE stint_domains(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO stint_domains(id, name) VALUES
    (1, 'stint');
CREATE TABLE stint_thread_ids(globalTid INTEGER PRIMARY KEY, objectId BLOB NOT NULL);
INSERT INTO stint_thread_ids(globalTid, objectId) VALUES
    (1291845643, x'4d0000000b00000000000000'),
    (1291845644, x'4d0000000c00000000000000');
CREATE TABLE stint_runs(kind INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, start INTEGER NOT NULL);
INSERT INTO stint_runs(kind, first, last, start) VALUES
    (0, 1, 6, 0),
    (1, 1, 4, 5000),
    (2, 1, 3, 5300),
    (3, 1, 3, 5200),
    (4, 1, 1, 500),
    (5, 1, 2, 5100),
    (6, 1, 10, 100),
    (7, 1, 1, 1000),
    (10, 1, 2, 300);
