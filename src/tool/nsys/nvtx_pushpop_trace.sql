-- Every range that was pushed and popped
-- needs ranges events
.read ranges.sql
WITH
nested AS (
    SELECT r.*, range_parent(id, start, "end", 1) OVER w AS parent, range_level(id, start, "end", 1) OVER w AS level,
        range_stack(id, start, "end", 1) OVER w AS stack
    FROM report_ranges r WHERE style = 'PushPop'
    WINDOW w AS (PARTITION BY thread, CASE WHEN nests THEN 0 ELSE id END ORDER BY id ROWS UNBOUNDED PRECEDING)),
children AS (SELECT parent AS id, count(*) AS num, add_up("end" - start) AS ns FROM nested GROUP BY parent)
SELECT start AS "Start:ts_ns", "end" AS "End:ts_ns:4", "end" - start AS "Duration:dur_ns",
    coalesce(c.ns, 0) AS "DurChild:dur_ns:7", "end" - start - coalesce(c.ns, 0) AS "DurNonChild:dur_ns:10",
    name AS "Name:name", pid AS "PID:id:6", tid AS "TID:id:9", level AS "Lvl:id:11", coalesce(c.num, 0) AS "NumChild::8",
    n.id AS "RangeId:id:5", parent AS "ParentId:id:3", stack AS "RangeStack:text:1",
    replace(hex(zeroblob(level)), '00', '--') || name AS "NameTree:name:2"
FROM nested n LEFT JOIN children c ON c.id = n.id
ORDER BY n.id
