/**
 * Numbers the orders anew in which two stand at one place, or something stands at what is no number: what was to stand behind a place between
 * two others did. That comes last, as was meant.
 */
export const POSITIONS_ANEW = `
create temp table orders as
  select id, seq, json_array(organization, parent) as place, position from spaces
  union all select id, seq, json_array(organization, parent), position from collections
  union all select id, seq, json_array(site, section_group), position from site_sections
  union all select id, seq, json_array(site, null), position from site_section_groups
  union all select id, seq, json_array(site, section, 'spaces'), position from site_spaces;
create temp table numbered (id text primary key, position text not null) without rowid;
insert into numbered
  select id, printf('%08d', 39999999 + row_number() over (
    partition by place order by position = '00000NaN', position, seq, id)) from orders
  where place in (select place from orders group by place
    having count(distinct position) < count(*) or max(position = '00000NaN'));
${['spaces', 'collections', 'site_sections', 'site_section_groups', 'site_spaces']
  .map(
    (table) =>
      `update ${table} set position = (select n.position from numbered n where n.id = ${table}.id) where id in (select id from numbered);`,
  )
  .join('\n')}
drop table numbered;
drop table orders;
`;
