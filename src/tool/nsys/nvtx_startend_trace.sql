-- Every range that was started and ended
-- needs ranges events
.read ranges.sql
SELECT start AS "Start:ts_ns", "end" AS "End:ts_ns:2", "end" - start AS "Duration:dur_ns", name AS "Name:name",
    pid AS "PID:id:3", tid AS "TID:id:4", id AS "RangeId:id:1"
FROM report_ranges WHERE style = 'StartEnd'
ORDER BY id
