-- Every kernel and every memory operation
-- needs events kernels operations
SELECT start AS "Start:ts_ns", ns AS "Duration:dur_ns",
    CASE WHEN correlationId < 0 THEN printf('%u', correlationId) ELSE nullif(correlationId, 0) END AS "CorrId:id:5",
    gridX AS "GrdX:id:14", gridY AS "GrdY:id:13", gridZ AS "GrdZ:id:12", blockX AS "BlkX:id:11",
    blockY AS "BlkY:id:10", blockZ AS "BlkZ:id:9", registersPerThread AS "Reg/Trd:id:8",
    staticSharedMemory AS "StcSMem:mem_B:6", dynamicSharedMemory AS "DymSMem:mem_B:7", bytes AS "Bytes:mem_B:18",
    bytes * 1e3 / nullif(ns, 0) AS "Throughput:thru_MB:17", source AS "SrcMemKd:text:3",
    destination AS "DstMemKd:text:4",
    coalesce((SELECT nullif(d.name, '') || ' ' FROM stint_gpu_devices d WHERE d.id = deviceId), '') ||
        '(' || deviceId || ')' AS "Device:text:15",
    contextId AS "Ctx:id:2", NULL AS "GreenCtx:id:1", streamId AS "Strm:id:16", name AS "Name:name"
FROM (
    SELECT start, "end", ns, correlationId, gridX, gridY, gridZ, blockX, blockY, blockZ, registersPerThread,
        staticSharedMemory, dynamicSharedMemory, NULL AS bytes, NULL AS source, NULL AS destination, deviceId,
        contextId, streamId, name, 0 AS kind, id
    FROM report_kernels
    UNION ALL
    SELECT start, "end", ns, correlationId, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, bytes, source,
        destination, deviceId, contextId, streamId,
        copy_name(copyKind, (SELECT value FROM StringIds WHERE StringIds.id = nameId)), 1 + kind, id
    FROM report_memory_operations)
ORDER BY start, "end" DESC, kind, id
