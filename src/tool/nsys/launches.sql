-- Kernels whose calls are recorded. A kernel and the call that launched it have the same correlation id, in the same
-- process; of several such calls, the first counts.
CREATE TEMP VIEW report_launches AS
SELECT k.id, k.start, k.ns, k.deviceId, k.gridX, k.gridY, k.gridZ, k.blockX, k.blockY, k.blockZ, k.name, k.nameId,
    c.start AS api_start, c."end" AS api_end, max(c."end" - c.start, 0) AS api_ns, s.value AS api, c.nameId AS apiId,
    CASE WHEN k.start > c."end" THEN k.start - c."end" END AS queue_ns,
    max(max(k."end", c."end") - c.start, 0) AS total_ns,
    c.globalTid, nullif(c.globalTid & 16777215, 0) AS tid,
    coalesce(nullif(c.globalTid >> 24 & 16777215, 0),
        (SELECT t.pid FROM stint_threads t WHERE t.tid = c.globalTid & 16777215 AND t.tid <> 0 LIMIT 1),
        (SELECT nullif(pid, 0) FROM stint_process)) AS pid
FROM report_kernels k
JOIN CUPTI_ACTIVITY_KIND_RUNTIME c ON c.rowid = (
    SELECT min(rowid) FROM CUPTI_ACTIVITY_KIND_RUNTIME r
    WHERE r.correlationId = k.correlationId AND r.globalTid >> 24 & 16777215 = k.pid AND r.correlationId <> 0)
JOIN StringIds s ON s.id = c.nameId;
