-- What a database that stint wrote has under other names than Nsight Systems' export. Scopes have the numbers of
-- stint_contexts; work that a thread does for a scope of another thread is in a scope (other threads) of that one.
CREATE TEMP TABLE report_event_scopes(context INTEGER PRIMARY KEY, scope, stat, waiting);
INSERT INTO report_event_scopes
WITH RECURSIVE
contexts(path, parent, stat, is_adopted) AS (
    SELECT c.path, c.parent, s.id, c.set_name = 'GlobalStatInfo' AND c.name = '(other threads)'
    FROM stint_contexts c LEFT JOIN stint_statistics s ON s.set_name = c.set_name AND s.name = c.name),
down(path, stat, waiting) AS (
    SELECT path, stat, NULL FROM contexts WHERE parent = 0
    UNION ALL
    SELECT c.path, c.stat, CASE WHEN c.is_adopted THEN d.stat ELSE d.waiting END
    FROM down d JOIN contexts c ON c.parent = d.path)
SELECT path, NULL, stat, waiting FROM down;

CREATE TEMP VIEW report_nvtx AS
SELECT e.rowid AS id, e.start, e."end", e.eventType, e.globalTid, e.endGlobalTid,
    coalesce(d.name, '') || ':' || CASE WHEN e.seq IS NULL AND e.opId IS NULL AND e.dataId IS NULL THEN s.value
        ELSE operation_text(s.value, e.seq, e.opId, o.data) END AS name, e.context
FROM NVTX_EVENTS e JOIN StringIds s ON s.id = e.textId LEFT JOIN stint_domains d ON d.id = e.domainId
LEFT JOIN stint_operation_data o ON o.id = e.dataId
WHERE NOT (d.name IS 'stint' AND s.value = '(other threads)');
