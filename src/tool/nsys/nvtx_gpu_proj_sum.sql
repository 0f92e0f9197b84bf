-- Ranges that launched work: how long it was on the GPU
-- needs ranges operations
.read nested.sql
.read scopes.sql
-- Of single ranges, as far as all are recorded.
CREATE TEMP TABLE report_rows(range, style, num, total, range_ns, med, min, max, stddev, operations, operation_ns, level,
    children, order_id, lacks_work, lacks_ranges);
INSERT INTO report_rows
SELECT name, style, count(*), add_up(ns), add_up("end" - start), median(ns), min(ns), max(ns), deviation(ns),
    add_up(operations), 0, avg(level), avg(coalesce(c.num, 0)), min(n.id), 0, 0
FROM report_nested n LEFT JOIN report_children c ON c.id = n.id, report_whole
WHERE report_whole.it GROUP BY name, style;

-- Else of scopes: what they launched is known, and when it ran for those of which the trace has all work.
CREATE TEMP TABLE report_extents(id INTEGER PRIMARY KEY, stat, work_start, work_end);
INSERT INTO report_extents
WITH RECURSIVE
events(instance, start, "end") AS (
    SELECT instance, start, "end" FROM report_kernels WHERE instance IS NOT NULL
    UNION ALL
    SELECT instance, start, "end" FROM report_memory_operations WHERE instance IS NOT NULL AND NOT copy_is_move(copyKind)),
own(instance, start, "end") AS (SELECT instance, min(start), max("end") FROM events GROUP BY instance),
up(instance, start, "end") AS (
    SELECT * FROM own UNION ALL
    SELECT i.parent, up.start, up."end" FROM up JOIN stint_gpu_instances i ON i.id = up.instance
    WHERE i.parent IS NOT NULL)
SELECT i.id, s.stat, min(up.start), max(up."end")
FROM up JOIN stint_gpu_instances i ON i.id = up.instance JOIN report_scope_ranges s ON s.scope = i.context
WHERE s.stat IS NOT NULL AND NOT (SELECT it FROM report_whole) GROUP BY i.id;

CREATE TEMP TABLE report_scope_levels AS
WITH RECURSIVE down(scope, is_range, nearest, level) AS (
    SELECT scope, is_range, NULL, 0 FROM report_scope_ranges WHERE parent IS NULL
    UNION ALL
    SELECT r.scope, r.is_range, CASE WHEN d.is_range THEN d.scope ELSE d.nearest END, d.level + d.is_range
    FROM down d JOIN report_scope_ranges r ON r.parent = d.scope)
SELECT scope, nearest, level FROM down WHERE is_range;

INSERT INTO report_rows
WITH
charged AS (
    SELECT a.stat, add_up(c.count) AS operations, add_up(c.total_ns) AS operation_ns
    FROM stint_gpu_charges c JOIN stint_gpu_activities g ON g.id = c.activity AND g.kind IN ('kernel', 'copy', 'set')
    JOIN report_scopes_around a ON a.scope = c.context GROUP BY a.stat),
traced AS (
    SELECT a.stat, count(*) AS operations FROM (
        SELECT context, instance FROM report_kernels
        UNION ALL SELECT context, instance FROM report_memory_operations WHERE NOT copy_is_move(copyKind)
    ) e JOIN report_event_scopes c ON c.context = e.context JOIN report_scopes_around a ON a.scope = c.scope
    WHERE e.instance IN (SELECT id FROM stint_gpu_instances) GROUP BY a.stat),
entered AS (
    SELECT r.stat, add_up(r.entered) AS num, 1.0 * add_up(r.entered * l.level) / max(add_up(r.entered), 1) AS level
    FROM report_scope_levels l JOIN report_scope_ranges r ON r.scope = l.scope GROUP BY r.stat),
enclosed AS (
    SELECT a.stat, add_up(r.entered) AS num FROM report_scope_levels l
    JOIN report_scope_ranges r ON r.scope = l.scope JOIN report_scope_ranges a ON a.scope = l.nearest GROUP BY a.stat),
spans AS (
    SELECT stat, count(*) AS num, add_up(max(work_end - work_start, 0)) AS total,
        median(max(work_end - work_start, 0)) AS med, min(max(work_end - work_start, 0)) AS min,
        max(max(work_end - work_start, 0)) AS max, deviation(max(work_end - work_start, 0)) AS stddev
    FROM report_extents GROUP BY stat),
known AS (
    SELECT c.stat, s.range, s.style, s.total AS range_ns, c.operations, c.operation_ns, e.num AS entered, e.level,
        1.0 * coalesce(i.num, 0) / max(e.num, 1) AS children, spans.num, spans.total, spans.med, spans.min, spans.max,
        spans.stddev, coalesce(t.operations, 0) = c.operations AND coalesce(spans.num, 0) <= e.num AS it
    FROM charged c JOIN report_statistic_sums s ON s.id = c.stat LEFT JOIN traced t ON t.stat = c.stat
    LEFT JOIN entered e ON e.stat = c.stat LEFT JOIN enclosed i ON i.stat = c.stat LEFT JOIN spans ON spans.stat = c.stat
    WHERE c.operations > 0 AND NOT (SELECT it FROM report_whole))
SELECT range, style, CASE WHEN it THEN num WHEN entered = 1 THEN 1 END, CASE WHEN it THEN total END,
    CASE WHEN entered = 1 OR (it AND num = entered) THEN range_ns END, CASE WHEN it THEN med END,
    CASE WHEN it THEN min END, CASE WHEN it THEN max END, CASE WHEN it THEN stddev END, operations, operation_ns, level,
    children, stat, NOT it, it AND num <> entered
FROM known;

SELECT range AS "Range:name", style AS "Style:text:11", total AS "Total Proj Time:dur_ns",
    nullif(range_ns, 0) AS "Total Range Time:dur_ns:14", num AS "Range Instances", 1.0 * total / num AS "Proj Avg:dur_ns:12",
    med AS "Proj Med:dur_ns:4", min AS "Proj Min:dur_ns:5", max AS "Proj Max:dur_ns:8", stddev AS "Proj StdDev:dur_ns:1",
    operations AS "Total GPU Ops::10", 1.0 * operations / num AS "Avg GPU Ops:num_1", level AS "Avg Range Lvl:num_1:2",
    children AS "Avg Num Child:num_1:3",
    CASE WHEN lacks_work THEN 'Proj, Total Range Time, Range Instances: - where the trace lacks some work of the range; '
        || 'STINT_GPU_TRACE=N keeps the first N events' END AS "Total Proj Time:note",
    CASE WHEN lacks_ranges THEN 'Total Range Time: - where some instances launched nothing; reports on recordings have it'
        END AS "Total Range Time:note"
FROM report_rows
ORDER BY coalesce(total, 0) DESC, operation_ns DESC, num, range, order_id
