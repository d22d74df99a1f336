import { type BodyOf, conflict, invalid } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import type { OrganizationSettings } from '../show/organization.ts';

// As the subdomain of published content is written.
const HOSTNAME = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/;
// In letters of any script: an address may be shown as people write it.
const EMAIL_DOMAIN =
  /^([\p{L}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+\p{L}([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;

/** The settings that a body names, as they are stored; 400 or 409 for what cannot be. Unknown fields are left out. */
export function checkedSettings(
  context: PlatformContext,
  organization: string,
  body: BodyOf<'updateOrganization'>,
): OrganizationSettings {
  const { defaultRole, defaultContent, logo, sso, ai, inviteLinks, hostname } = body;
  if (hostname !== undefined) demandHostname(context, organization, hostname);
  if (defaultContent) demandSite(context, organization, defaultContent.site);
  const emailDomains = body.emailDomains?.map(emailDomain);
  return defined({ emailDomains, hostname, defaultRole, defaultContent, logo, sso, ai, inviteLinks });
}

function demandHostname(context: PlatformContext, organization: string, hostname: string): void {
  if (!HOSTNAME.test(hostname)) throw invalid('hostname', `must match ${HOSTNAME.source}`);
  const taken = context.db
    .prepare(`select 1 from organizations where json_extract(settings, '$.hostname') = ? and id <> ?`)
    .get(hostname, organization);
  if (taken) throw conflict(`The hostname ${hostname} belongs to another organization`);
}

function demandSite(context: PlatformContext, organization: string, site: string): void {
  const found = context.db.prepare('select 1 from sites where organization = ? and id = ?').get(organization, site);
  if (!found) throw invalid('defaultContent/site', `site ${site} does not exist in this organization`);
}

function emailDomain(text: string, index: number): string {
  const domain = text.trim().toLowerCase();
  if (!EMAIL_DOMAIN.test(domain)) throw invalid(`emailDomains/${index}`, 'must be a domain name, such as example.com');
  return domain;
}
