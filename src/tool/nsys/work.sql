-- Ranges, and what was launched in them. A launch is in a range if the call that made it began and ended within the
-- range, on the same thread. What one call launched counts as one operation, even if it is a graph of many kernels.
-- Work that a thread does for a scope of another thread is also in the ranges that are open there.
.read ranges.sql
-- What devices did for calls. Moves of unified memory have no call.
CREATE TEMP TABLE report_work AS
SELECT pid, correlationId, start, "end", ns, name FROM report_kernels WHERE correlationId <> 0
UNION ALL
SELECT pid, correlationId, start, "end", ns, NULL FROM report_memory_operations
WHERE correlationId <> 0 AND NOT copy_is_move(copyKind);
CREATE INDEX temp.report_work_by_correlation ON report_work(correlationId, pid);

-- A call, from the first start to the last end of what it launched. A call of the driver within one of the runtime may
-- have the same correlation id; the outer one, which begins first, counts.
CREATE TEMP TABLE report_launches(id INTEGER PRIMARY KEY, pid, correlationId, start, "end", call);
INSERT INTO report_launches
SELECT NULL, pid, correlationId, min(start), max("end"), (
    SELECT r.rowid FROM CUPTI_ACTIVITY_KIND_RUNTIME r
    WHERE r.correlationId = w.correlationId AND r.globalTid >> 24 & 16777215 = w.pid
    ORDER BY r.start, r."end" DESC, r.rowid LIMIT 1)
FROM report_work w GROUP BY correlationId, pid;

CREATE TEMP TABLE report_callers AS
SELECT l.id AS launch, c.start, c."end", c.globalTid AS thread, NULL AS last, s.waiting
FROM report_launches l JOIN CUPTI_ACTIVITY_KIND_RUNTIME c ON c.rowid = l.call
LEFT JOIN report_event_scopes s ON s.context = c.context;

-- The innermost range of the scope that waits for what a call launched, and the time of the call on its thread.
CREATE INDEX temp.report_ranges_by_statistic ON report_ranges(stat, start);
INSERT INTO report_callers
SELECT c.launch, c.start, c.start, r.thread, r.id, NULL FROM report_callers c JOIN report_ranges r ON r.id = (
    SELECT w.id FROM report_ranges w
    WHERE w.stat = c.waiting AND w.start <= c.start AND w."end" >= c.start AND w.nests AND w.thread <> c.thread
        AND w.thread >> 24 = c.thread >> 24
    ORDER BY w.start DESC, w.id DESC LIMIT 1)
WHERE c.waiting IS NOT NULL;

CREATE TEMP TABLE report_launched AS
WITH around AS (
    SELECT launch, last, range_list(id, start, "end", launch IS NULL) OVER (PARTITION BY thread
        ORDER BY start, launch IS NOT NULL, id ROWS UNBOUNDED PRECEDING) AS list
    FROM (
        SELECT id, start, "end", thread, NULL AS launch, NULL AS last FROM report_ranges WHERE nests
        UNION ALL SELECT NULL, start, "end", thread, launch, last FROM report_callers))
SELECT launch, j.value AS range FROM around, json_each(list) j
WHERE launch IS NOT NULL AND (last IS NULL OR j.value <= last);

-- Whether this is all that the snapshot counts. Launches that no call belongs to were before the recording; if that is
-- so for all, calls are not recorded.
CREATE TEMP TABLE report_whole AS
SELECT EXISTS (SELECT 1 FROM report_ranges) AND EXISTS (SELECT 1 FROM report_callers) AND
    (SELECT count(*) FROM report_kernels) = (SELECT total(count) FROM stint_gpu_activities WHERE kind = 'kernel') AS it;
