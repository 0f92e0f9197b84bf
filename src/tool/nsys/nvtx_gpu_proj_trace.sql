-- Every range that launched work, and when that ran
-- needs ranges operations events
.read nested.sql
SELECT name AS "Name:name", work_start AS "Projected Start:ts_ns", ns AS "Projected Duration:dur_ns",
    start AS "Orig Start:ts_ns:9", "end" - start AS "Orig Duration:dur_ns:11", style AS "Style:text:5",
    pid AS "PID:id:4", tid AS "TID:id:8", operations AS "NumGPUOps::10", level AS "Lvl:id:7",
    coalesce(c.num, 0) AS "NumChild::6", n.id AS "RangeId:id:3", parent AS "ParentId:id:2",
    stack AS "RangeStack:text:1"
FROM report_nested n LEFT JOIN report_children c ON c.id = n.id
ORDER BY work_start, work_end DESC, n.id
