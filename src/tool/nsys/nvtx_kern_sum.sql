-- Kernels by the range that they were launched in
-- needs ranges kernels
-- A kernel belongs to all ranges that were open on the launching thread, or on the thread that waited for it.
.read work.sql
.read scopes.sql
CREATE TEMP TABLE report_rows(range, style, pid, tid, num, kernels, samples, total, med, min, max, stddev, exact, name,
    lacks_thread, order_id);

-- Of single ranges, as far as all are recorded. A kernel that was launched in two ranges of one name, one within the
-- other, is one kernel, but its time counts in both.
INSERT INTO report_rows
SELECT r.name, r.style, r.pid, r.tid, count(DISTINCT r.id), count(DISTINCT w.rowid), count(*), add_up(w.ns), median(w.ns),
    min(w.ns), max(w.ns), deviation(w.ns), 1, w.name, 0, min(w.rowid)
FROM report_launched d JOIN report_ranges r ON r.id = d.range JOIN report_launches l ON l.id = d.launch
JOIN report_work w ON w.correlationId = l.correlationId AND w.pid = l.pid AND w.name IS NOT NULL, report_whole
WHERE report_whole.it GROUP BY r.name, r.style, r.thread, w.name;

-- Else of scopes. Charges have no histograms, but activities do: one that is charged to one range only contributes its
-- own.
CREATE TEMP TABLE report_charged AS
SELECT a.stat, kernel_name(g.name, g.mangled) AS name, c.id AS charge, g.id AS activity, g.numbers, g.count AS whole,
    count(*) AS times, c.count AS num, c.total_ns AS total, c.min_ns AS min, c.max_ns AS max
FROM stint_gpu_charges c JOIN stint_gpu_activities g ON g.id = c.activity AND g.kind = 'kernel'
JOIN report_scopes_around a ON a.scope = c.context
WHERE c.count > 0 AND NOT (SELECT it FROM report_whole) GROUP BY a.stat, c.id;

CREATE TEMP TABLE report_traced AS
SELECT a.stat, k.name, count(*) AS num, median(k.ns) AS med, deviation(k.ns) AS stddev
FROM report_kernels k JOIN report_event_scopes e ON e.context = k.context JOIN report_scopes_around a ON a.scope = e.scope
WHERE NOT (SELECT it FROM report_whole) GROUP BY a.stat, k.name;

INSERT INTO report_rows
WITH RECURSIVE
up(name, instance) AS (
    SELECT name, instance FROM report_kernels WHERE instance IS NOT NULL
    UNION
    SELECT up.name, i.parent FROM up JOIN stint_gpu_instances i ON i.id = up.instance WHERE i.parent IS NOT NULL),
instances AS (
    SELECT s.stat, up.name, count(*) AS num FROM up JOIN stint_gpu_instances i ON i.id = up.instance
    JOIN stint_scopes s ON s.id = i.context GROUP BY s.stat, up.name),
linked AS ( -- an activity in a range
    SELECT stat, name, activity, numbers, add_up(times * num) = whole AS has_all FROM report_charged
    GROUP BY stat, name, activity),
merged AS (
    SELECT stat, name, min(has_all) AS has_all, numbers_median(numbers) AS med, numbers_deviation(numbers) AS stddev,
        numbers_are_exact(numbers) AS exact
    FROM linked GROUP BY stat, name),
summed AS (
    SELECT stat, name, add_up(num) AS kernels, add_up(times * num) AS num, add_up(times * total) AS total, min(min) AS min,
        max(max) AS max, min(charge) AS order_id
    FROM report_charged GROUP BY stat, name),
known AS (
    SELECT s.*, CASE WHEN s.num <= 2 OR s.min = s.max THEN 2 WHEN t.num = s.num THEN 1 WHEN m.has_all THEN 0 END AS how,
        m.med AS med_merged, m.stddev AS stddev_merged, m.exact, t.med AS med_traced, t.stddev AS stddev_traced,
        t.num AS traced, i.num AS instances
    FROM summed s JOIN merged m ON m.stat = s.stat AND m.name = s.name
    LEFT JOIN report_traced t ON t.stat = s.stat AND t.name = s.name
    LEFT JOIN instances i ON i.stat = s.stat AND i.name = s.name),
threads AS ( -- the only one that recorded a range
    SELECT stat, min(thread) AS thread FROM stint_thread_statistics GROUP BY stat HAVING count(*) = 1
    UNION ALL
    SELECT id, 0 FROM stint_statistics WHERE (SELECT count(*) FROM stint_threads) = 1
        AND id NOT IN (SELECT stat FROM stint_thread_statistics GROUP BY stat HAVING count(*) = 1)),
process AS (
    SELECT CASE WHEN count(*) = 0 THEN (SELECT pid FROM stint_process) WHEN min(pid) = max(pid) THEN min(pid) END AS pid
    FROM stint_threads)
SELECT r.range, r.style, nullif(coalesce(t.pid, process.pid), 0), nullif(t.tid, 0),
    CASE WHEN r.entered = 1 THEN 1 WHEN k.kernels = 1 THEN k.num
        WHEN k.traced = k.num AND k.instances <= r.entered THEN nullif(k.instances, 0) END,
    k.kernels, k.num, k.total,
    CASE k.how WHEN 2 THEN (k.min + k.max) / 2.0 WHEN 1 THEN med_traced WHEN 0 THEN med_merged END, k.min, k.max,
    CASE k.how WHEN 2 THEN (k.max - k.min) * 0.7071067811865476 WHEN 1 THEN stddev_traced WHEN 0 THEN stddev_merged END,
    CASE k.how WHEN 0 THEN k.exact ELSE k.how > 0 END, k.name,
    coalesce(t.pid, process.pid, 0) = 0 OR coalesce(t.tid, 0) = 0, k.order_id
FROM known k JOIN (SELECT id, range, style, count + running AS entered FROM stint_statistics) r ON r.id = k.stat
LEFT JOIN threads ON threads.stat = k.stat LEFT JOIN stint_threads t ON t.id = threads.thread, process;

SELECT range AS "NVTX Range:name", style AS "Style:text:11", pid AS "PID:id:6", tid AS "TID:id:7", num AS "NVTX Inst",
    kernels AS "Kern Inst", total AS "Total Time:dur_ns", 1.0 * total / samples AS "Avg:dur_ns:12", med AS "Med:dur_ns:4",
    min AS "Min:dur_ns:5", max AS "Max:dur_ns:8", stddev AS "StdDev:dur_ns:1", name AS "Kernel Name:name",
    CASE exact WHEN 1 THEN NULL WHEN 0 THEN 'Med: from histograms, within 0.8 %'
        ELSE 'Med, StdDev: - of a kernel that several ranges launched, where the trace lacks some launches; '
        || 'STINT_GPU_TRACE=N keeps the first N events' END AS "Med:note",
    CASE WHEN num IS NULL THEN 'NVTX Inst: - where both the range and the kernel ran more than once, and the trace lacks '
        || 'some launches' END AS "NVTX Inst:note",
    CASE WHEN lacks_thread THEN 'PID, TID: - of ranges of several threads, or of threads that have exited' END AS "TID:note"
FROM report_rows
ORDER BY range, pid, tid, total DESC, samples, name, order_id
