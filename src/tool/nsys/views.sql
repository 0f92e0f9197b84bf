-- What several reports share. A sum over all events is exact; of a snapshot that does not have all events, counts and
-- totals are known, and medians from histograms: `exact` is 1, 0, or NULL if there is no median.

-- Names under which kernels are shown, and the number of the first text that is shown so.
CREATE TEMP TABLE report_kernel_names(id INTEGER PRIMARY KEY, name, first);
INSERT INTO report_kernel_names
SELECT id, name, min(id) OVER (PARTITION BY name) FROM (SELECT id, kernel_name(value, '') AS name FROM StringIds);

CREATE TEMP VIEW report_kernels AS
SELECT k.rowid AS id, k.start, k."end", max(k."end" - k.start, 0) AS ns, k.deviceId, k.contextId, k.streamId,
    k.correlationId, k.globalPid >> 24 & 16777215 AS pid, n.name, n.first AS nameId, k.registersPerThread,
    k.gridX, k.gridY, k.gridZ, k.blockX, k.blockY, k.blockZ, k.staticSharedMemory, k.dynamicSharedMemory, k.context,
    k.instance
FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN report_kernel_names n ON n.id = k.demangledName;

CREATE TEMP VIEW report_memory_operations AS
SELECT 0 AS kind, c.rowid AS id, start, "end", max("end" - start, 0) AS ns, deviceId, contextId, streamId, correlationId,
    globalPid >> 24 & 16777215 AS pid, bytes, copyKind, nameId, memory_name(srcKind) AS source,
    memory_name(dstKind) AS destination, context, instance
FROM CUPTI_ACTIVITY_KIND_MEMCPY c
UNION ALL
SELECT 1, rowid, start, "end", max("end" - start, 0), deviceId, contextId, streamId, correlationId,
    globalPid >> 24 & 16777215, bytes, 0, nameId, memory_name(memKind), NULL, context, instance
FROM CUPTI_ACTIVITY_KIND_MEMSET;

-- Kernels as the program counted them.
CREATE TEMP VIEW report_kernel_counts AS
SELECT kernel_name(name, mangled) AS name, min(id) AS id, numbers_count(numbers) AS num,
    numbers_total(numbers) AS total, numbers_min(numbers) AS min, numbers_max(numbers) AS max,
    numbers_median(numbers) AS med, numbers_deviation(numbers) AS stddev, numbers_are_exact(numbers) AS exact
FROM stint_gpu_activities WHERE kind = 'kernel' AND count > 0 GROUP BY 1;

CREATE TEMP VIEW report_kernel_sums AS
WITH traced AS (
    SELECT n.name, g.* FROM (
        SELECT nameId, count(*) AS num, median(ns) AS med, deviation(ns) AS stddev FROM report_kernels GROUP BY nameId
    ) g JOIN report_kernel_names n ON n.id = g.nameId)
SELECT c.name, c.id, c.num, c.total, c.min, c.max,
    CASE WHEN t.num = c.num AND exact IS NOT 1 THEN t.med ELSE c.med END AS med,
    CASE WHEN t.num = c.num AND exact IS NOT 1 THEN t.stddev ELSE c.stddev END AS stddev,
    CASE WHEN t.num = c.num THEN 1 ELSE c.exact END AS exact
FROM report_kernel_counts c LEFT JOIN traced t ON t.name = c.name;

CREATE TEMP VIEW report_memory_sums AS
WITH
counted AS (
    SELECT operation AS name, kind, min(id) AS id, numbers_count(numbers) AS num, numbers_total(numbers) AS total,
        numbers_min(numbers) AS min, numbers_max(numbers) AS max, numbers_median(numbers) AS med,
        numbers_deviation(numbers) AS stddev, numbers_are_exact(numbers) AS exact, add_up(bytes) AS bytes,
        min(min_bytes) AS min_bytes, max(max_bytes) AS max_bytes, total(square_bytes2) AS square_bytes2
    FROM stint_gpu_activities WHERE kind IN ('copy', 'set', 'unified') AND count > 0 GROUP BY kind, operation),
traced AS (
    SELECT CASE WHEN kind THEN 'set' WHEN copy_is_move(copyKind) THEN 'unified' ELSE 'copy' END AS kind,
        copy_name(copyKind, (SELECT value FROM StringIds WHERE StringIds.id = nameId)) AS name, count(*) AS num,
        median(ns) AS med, deviation(ns) AS stddev, median(bytes) AS med_bytes, deviation(bytes) AS stddev_bytes
    FROM report_memory_operations GROUP BY report_memory_operations.kind, copyKind, nameId)
SELECT c.name, c.id, c.num, c.total, c.min, c.max,
    CASE WHEN t.num = c.num AND exact IS NOT 1 THEN t.med ELSE c.med END AS med,
    CASE WHEN t.num = c.num AND exact IS NOT 1 THEN t.stddev ELSE c.stddev END AS stddev,
    CASE WHEN t.num = c.num THEN 1 ELSE c.exact END AS exact,
    c.bytes, c.min_bytes, c.max_bytes,
    CASE WHEN c.num <= 2 OR min_bytes = max_bytes THEN (min_bytes + max_bytes) / 2.0
        WHEN t.num = c.num THEN t.med_bytes END AS med_bytes,
    CASE WHEN c.num <= 2 OR min_bytes = max_bytes THEN (max_bytes - min_bytes) * 0.7071067811865476
        WHEN t.num = c.num THEN t.stddev_bytes
        ELSE sample_deviation(c.num, c.bytes, square_bytes2) END AS stddev_bytes
FROM counted c LEFT JOIN traced t ON t.kind = c.kind AND t.name = c.name;

-- Statistics: calls, and ranges. What is nested in another range of its name is in the contexts only.
CREATE TEMP VIEW report_statistic_sums AS
SELECT s.id, s.name, s.range, s.style, s.calls, numbers_count(n.numbers) AS num, numbers_total(n.numbers) AS total,
    numbers_min(n.numbers) AS min, numbers_max(n.numbers) AS max, numbers_median(n.numbers) AS med,
    numbers_deviation(n.numbers) AS stddev, numbers_are_exact(n.numbers) AS exact
FROM stint_statistics s JOIN (
    SELECT id AS stat, numbers FROM stint_statistics WHERE recursive = 0 OR style IS NULL
    UNION ALL
    SELECT c.stat, c.numbers FROM stint_scopes c JOIN stint_statistics s ON s.id = c.stat
    WHERE s.recursive <> 0 AND s.style IS NOT NULL
) n ON n.stat = s.id
WHERE s.count > 0 GROUP BY s.id;
