-- Ranges that launched work, from the first start to the last end of that work. Of the children of a range, only those
-- with work count.
.read work.sql
CREATE TEMP TABLE report_projected(id INTEGER PRIMARY KEY, operations, work_start, work_end);
INSERT INTO report_projected
SELECT d.range, count(*), min(l.start), max(l."end") FROM report_launched d JOIN report_launches l ON l.id = d.launch
GROUP BY d.range;

CREATE TEMP TABLE report_nested AS
WITH nested AS (
    SELECT r.*, range_parent(id, start, "end", 1) OVER w AS parent, range_level(id, start, "end", 1) OVER w AS level,
        range_stack(id, start, "end", 1) OVER w AS stack
    FROM report_ranges r
    WINDOW w AS (PARTITION BY thread, CASE WHEN nests THEN 0 ELSE id END ORDER BY id ROWS UNBOUNDED PRECEDING))
SELECT n.*, p.operations, p.work_start, p.work_end, p.work_end - p.work_start AS ns
FROM nested n JOIN report_projected p ON p.id = n.id;

CREATE TEMP TABLE report_children(id INTEGER PRIMARY KEY, num);
INSERT INTO report_children SELECT parent, count(*) FROM report_nested WHERE parent IS NOT NULL GROUP BY parent;
