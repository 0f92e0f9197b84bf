-- Every CUDA API call
-- needs events calls
-- What calls returned and the priorities of threads are not recorded.
WITH calls AS (
    SELECT c.rowid AS id, c.start, c."end", c.correlationId, s.value AS name, c.globalTid >> 24 & 16777215 AS pid,
        nullif(c.globalTid & 16777215, 0) AS tid
    FROM CUPTI_ACTIVITY_KIND_RUNTIME c JOIN StringIds s ON s.id = c.nameId)
SELECT c.start AS "Start:ts_ns", max(c."end" - c.start, 0) AS "Duration:dur_ns", c.name AS "Name:name",
    NULL AS "Result::1",
    CASE WHEN c.correlationId < 0 THEN printf('%u', c.correlationId) ELSE nullif(c.correlationId, 0) END AS "CorrID:id:3",
    coalesce(nullif(c.pid, 0), t.pid, (SELECT nullif(pid, 0) FROM stint_process)) AS "Pid:id:4", c.tid AS "Tid:id:6",
    NULL AS "T-Pri::2", t.name AS "Thread Name:text:5"
FROM calls c LEFT JOIN stint_threads t ON t.id = (
    SELECT min(id) FROM stint_threads a WHERE a.tid = c.tid AND (c.pid = 0 OR a.pid = c.pid))
ORDER BY c.start, c."end" DESC, c.id
