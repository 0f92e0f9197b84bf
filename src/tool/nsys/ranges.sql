-- Single ranges, numbered by start; of those that start together, the longer one comes first. A range that ended on
-- another thread nests with no other.
CREATE TEMP TABLE report_ranges(id INTEGER PRIMARY KEY, start, "end", style, thread, pid, tid, name, stat, nests);
INSERT INTO report_ranges
SELECT row_number() OVER (ORDER BY start, "end" DESC, id), start, "end",
    CASE eventType WHEN 60 THEN 'StartEnd' ELSE 'PushPop' END, globalTid, nullif(globalTid >> 24 & 16777215, 0),
    nullif(globalTid & 16777215, 0), name, s.stat, endGlobalTid IS NULL OR endGlobalTid = globalTid
FROM report_nvtx e LEFT JOIN report_event_scopes s ON s.context = e.context
WHERE eventType IN (59, 60) AND "end" IS NOT NULL;
