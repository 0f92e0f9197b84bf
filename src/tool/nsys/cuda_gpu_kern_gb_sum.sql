-- The same by grid and block
-- needs kernels
-- A kernel is split up only if the trace has all its launches.
CREATE TEMP TABLE report_grids AS
SELECT nameId, min(id) AS id, count(*) AS num, add_up(ns) AS total, min(ns) AS min, max(ns) AS max, median(ns) AS med,
    deviation(ns) AS stddev, gridX, gridY, gridZ, blockX, blockY, blockZ
FROM report_kernels GROUP BY nameId, gridX, gridY, gridZ, blockX, blockY, blockZ;
CREATE TEMP TABLE report_whole_kernels AS
SELECT c.name, n.first AS nameId FROM report_kernel_counts c JOIN report_kernel_names n ON n.name = c.name AND n.id = n.first
WHERE c.num = (SELECT add_up(g.num) FROM report_grids g WHERE g.nameId = n.first);

SELECT 100.0 * total / nullif(total(total) OVER (), 0) AS "Time:ratio_%", total AS "Total Time:dur_ns",
    num AS "Instances", 1.0 * total / num AS "Avg:dur_ns:12", med AS "Med:dur_ns:4", min AS "Min:dur_ns:5",
    max AS "Max:dur_ns:8", stddev AS "StdDev:dur_ns:1", grid AS "GridXYZ:text:13", block AS "BlockXYZ:text:9",
    name AS "Name:name", median_note(exact) AS "Med:note",
    CASE WHEN grid IS NULL THEN 'GridXYZ, BlockXYZ: - where the trace lacks some launches; STINT_GPU_TRACE=N keeps the first N events'
        END AS "GridXYZ:note"
FROM (
    SELECT name, id, num, total, min, max, med, stddev, exact, NULL AS grid, NULL AS block
    FROM report_kernel_counts WHERE name NOT IN (SELECT name FROM report_whole_kernels)
    UNION ALL
    SELECT k.name, g.id, num, total, min, max, med, stddev, 1, printf('%4d %4d %4d', gridX, gridY, gridZ),
        printf('%4d %4d %4d', blockX, blockY, blockZ)
    FROM report_grids g JOIN report_whole_kernels k ON k.nameId = g.nameId)
ORDER BY total DESC, num, name, grid IS NOT NULL, id
