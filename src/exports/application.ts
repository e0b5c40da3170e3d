/** `fleetsift/application`: the use cases, and the ports, whose docstrings are their contracts. */
export type { NarrowReachDeps } from '#application/access/narrow-reach.ts';
export type { ClaimOutcome, FairShare, ShareLimits, SlowLimits } from '#application/admission/fair-share.ts';
export {
  budgetsFor,
  type ClaimRefusal,
  type DatabaseResources,
  DEFAULT_BUDGETS,
  makeRequestShares,
  type RequestBudgets,
  type RequestShares,
  USUAL_CONNECTIONS,
  type WorkKind,
} from '#application/admission/request-budgets.ts';
export * from '#application/application-error.ts';
export type { ActionFacts, Deny, MakeEntry, MakeSystemEntry } from '#application/audit/make-entry.ts';
export * from '#application/audit/read-audit-log.ts';
export type {
  ApiKeyInput,
  CreateApiKey,
  CreatedApiKey,
  ListApiKeys,
  RevokeApiKey,
} from '#application/auth/api-keys.ts';
export type { SignInInput } from '#application/auth/auth-input.ts';
export * from '#application/auth/auth-use-cases.ts';
export type {
  AcceptInvitation,
  Invitation,
  IsEmptyService,
  ReadInvitation,
} from '#application/auth/links/invitations.ts';
export type { AcceptInput } from '#application/auth/links/link-input.ts';
export type {
  ConfirmPasswordReset,
  RequestPasswordReset,
  ResetInput,
} from '#application/auth/links/password-reset.ts';
export type {
  ConfirmEnrollment,
  EnrollmentOffer,
  RenewRecoveryCodes,
  StartEnrollment,
} from '#application/auth/mfa/enroll-mfa.ts';
export type { ChallengeMfa, ProofInput, RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
export type { PasskeyAnswer } from '#application/auth/passkeys/check-passkey.ts';
export type {
  AddedPasskey,
  AddPasskey,
  ListPasskeys,
  RemovePasskey,
  StartPasskey,
} from '#application/auth/passkeys/manage-passkeys.ts';
export type { OfferPasskeys } from '#application/auth/passkeys/sign-in-by-passkey.ts';
export type { ChangePassword, CheckPassword, PasswordInput } from '#application/auth/passwords.ts';
export type { FinishedVisit, FinishVisit, VisitOutcome } from '#application/auth/providers/finish-visit.ts';
export type { ListOwnProviders, UnlinkProvider } from '#application/auth/providers/own-providers.ts';
export type { ProviderProblem } from '#application/auth/providers/provider-visit.ts';
export type {
  BegunVisit,
  VisitInput,
  VisitProvider,
  VisitRefusal,
} from '#application/auth/providers/visit-provider.ts';
export type {
  EndOtherSessions,
  EndSession,
  ListSessions,
  OwnSession,
} from '#application/auth/sessions/own-sessions.ts';
export type { RefreshSession, SignOut } from '#application/auth/sessions/refresh-session.ts';
export type { SignIn } from '#application/auth/sessions/sign-in.ts';
export type { Profile, ReadProfile, SignedIn } from '#application/auth/sessions/signed-in.ts';
export * from '#application/backend.ts';
export * from '#application/call.ts';
export type { CustomFieldInput } from '#application/custom-fields/custom-field-input.ts';
export * from '#application/custom-fields/custom-field-use-cases.ts';
export type {
  CreateCustomField,
  DeleteCustomField,
  ListCustomFields,
  UpdateCustomField,
} from '#application/custom-fields/manage-custom-fields.ts';
export {
  type CompleteDeletions,
  type CompleteDeletionsDeps,
  type CompletionTally,
  makeCompleteDeletions,
} from '#application/deletion/complete-deletions.ts';
export * from '#application/deletion/deletion-use-cases.ts';
export type {
  CancelDeletion,
  OwnDeletion,
  ReadInput,
  ReadOwnDeletion,
  SubmitDeletion,
  SubmitDeletionDeps,
  SubmitDeletionInput,
  SubmittedDeletion,
} from '#application/deletion/own-deletion.ts';
export type { ProcessDeletion, ProcessDeletionInput } from '#application/deletion/process-deletion.ts';
export type {
  CountPendingDeletions,
  DeletionPage,
  ListDeletions,
  ReadDeletion,
} from '#application/deletion/review-deletions.ts';
export type {
  BulkChangeDevices,
  BulkOutcome,
  UndoBulkChange,
  UndoOutcome,
} from '#application/devices/bulk-change.ts';
export type { BulkChangeInput } from '#application/devices/bulk-change-input.ts';
export type { DeviceChangeInput } from '#application/devices/check-device-change.ts';
export * from '#application/devices/device-use-cases.ts';
export type { DeleteDevice, MergeDevices } from '#application/devices/end-devices.ts';
export type { ExportDevices, ExportInput } from '#application/devices/export-devices.ts';
export type { DeviceFilters, ListDeviceFilters } from '#application/devices/list-device-filters.ts';
export type { DeviceList, DeviceView, ListDevices, ReadDevice } from '#application/devices/list-devices.ts';
export type { ListDuplicates } from '#application/devices/list-duplicates.ts';
export type { DevicePageInput } from '#application/devices/page-input.ts';
export type { DeviceQueryInput } from '#application/devices/resolve-device-query.ts';
export type { DeviceExport } from '#application/devices/run-export.ts';
export type { UpdateDevice } from '#application/devices/update-device.ts';
export {
  type CreatedEnrolmentKey,
  type CreateEnrolmentKey,
  type EnrolmentKeyInput,
  type EnrolmentPorts,
  type EnrolmentUseCases,
  type KeyPorts,
  type ListEnrolmentKeys,
  makeEnrolmentUseCases,
  type RevokeEnrolmentKey,
} from '#application/enrolment/enrolment-use-cases.ts';
export type * from '#application/filters/evaluate/filter-impact.ts';
export type {
  ExplainConditions,
  ExplainConditionsInput,
  ExplainedFilter,
  ExplainedNode,
  ExplainFilter,
  ExplainFilterInput,
} from '#application/filters/evaluate/run-explain.ts';
export type {
  Preview,
  PreviewConditions,
  PreviewConditionsInput,
  PreviewFilter,
} from '#application/filters/evaluate/run-preview.ts';
export {
  type FilterPorts,
  type FilterUseCases,
  type ListFields,
  makeFilterUseCases,
} from '#application/filters/filter-use-cases.ts';
export type { CreateFilter, CreateFilterInput } from '#application/filters/saved/create-filter.ts';
export type { DeleteFilter } from '#application/filters/saved/delete-filter.ts';
export type { ListFilterVersions, RestoreFilter } from '#application/filters/saved/filter-history.ts';
export type { ListFilters, ReadFilter, ResolveFilter } from '#application/filters/saved/read-filter.ts';
export type { UpdateFilter, UpdateFilterInput } from '#application/filters/saved/update-filter.ts';
export type { FormatText, ParsedText, ParseText } from '#application/filters/text/check-text.ts';
export type { CompleteText, TextCompletion } from '#application/filters/text/complete-text.ts';
export type {
  AlertListQuery,
  AlertPage,
  ListAlerts,
  ReadAlert,
  UpdateAlert,
} from '#application/fleet/alerts.ts';
export type {
  ListOrganizations,
  ListPatches,
  PatchListQuery,
  SummarizeFleet,
  SummaryInReach,
} from '#application/fleet/fleet-counts.ts';
export type {
  ListScripts,
  ListSites,
  ScriptListQuery,
} from '#application/fleet/fleet-lists.ts';
export * from '#application/fleet/fleet-use-cases.ts';
export type {
  CreatePlace,
  DeletePlace,
  ListPartners,
  PlaceInput,
  RenamePlace,
} from '#application/fleet/manage-tenants.ts';
export * from '#application/fleet/tenant-use-cases.ts';
export type { ManageProvidersDeps } from '#application/identity-providers/hold-provider.ts';
export type {
  ChangeProvider,
  CreateProvider,
  DeleteProvider,
  ListProviders,
  ReadProvider,
  VerifyDomains,
} from '#application/identity-providers/manage-providers.ts';
export type { ProviderInput } from '#application/identity-providers/provider-input.ts';
export * from '#application/identity-providers/provider-use-cases.ts';
export type { AgentAnswer, AnswerAgent, MachineReport } from '#application/inventory/answer-agent.ts';
export type { TakeInventory } from '#application/inventory/take-inventory.ts';
export type {
  CreatedSubscription,
  CreateSubscription,
  SubscriptionInput,
} from '#application/live/create-subscription.ts';
export type { Changes, ChangesQuery, FollowChanges, ReadChanges } from '#application/live/follow-filter.ts';
export * from '#application/live/live-use-cases.ts';
export type {
  DeleteSubscription,
  ListSubscriptions,
  ReadSubscription,
  SubscriptionChangeInput,
  UpdateSubscription,
} from '#application/live/manage-subscriptions.ts';
export type {
  ListDeliveries,
  Redeliver,
  RenewedSecret,
  RenewSecret,
  ResumeSubscription,
  TestWebhook,
} from '#application/live/manage-webhooks.ts';
export type { HistoryQuery, Members, ReadHistory, ReadMembers } from '#application/live/read-members.ts';
export type { Page } from '#application/page.ts';
export type { ChangePerson } from '#application/people/change-person.ts';
export type {
  InvitePerson,
  RevokeInvitation,
  SendInvitation,
} from '#application/people/invite-people.ts';
export type {
  EndSessionOf,
  ListApiKeysOf,
  ListSessionsOf,
  ResetMfaOf,
  RevokeApiKeyOf,
} from '#application/people/others-access.ts';
export * from '#application/people/people-use-cases.ts';
export type { MembershipInput, NewPersonInput, PersonInput } from '#application/people/person-input.ts';
export type { ListPeople, PeopleListQuery, ReadPerson } from '#application/people/read-people.ts';
export * from '#application/ports/audit/audit-archive.ts';
export * from '#application/ports/audit/audit-log.ts';
export * from '#application/ports/audit/audit-reader.ts';
export * from '#application/ports/auth/access-token-issuer.ts';
export * from '#application/ports/auth/credential-verifier.ts';
export * from '#application/ports/auth/digest-secret.ts';
export * from '#application/ports/auth/openid-providers.ts';
export * from '#application/ports/auth/passkey-ceremonies.ts';
export * from '#application/ports/auth/password-hasher.ts';
export * from '#application/ports/auth/password-verifier.ts';
export * from '#application/ports/auth/reporter-verifier.ts';
export * from '#application/ports/auth/reseal-secrets.ts';
export type { ResolveTxt } from '#application/ports/auth/resolve-txt.ts';
export * from '#application/ports/auth/secret-generator.ts';
export * from '#application/ports/auth/stores/account-store.ts';
export * from '#application/ports/auth/stores/api-key-store.ts';
export * from '#application/ports/auth/stores/enrolment-key-store.ts';
export * from '#application/ports/auth/stores/identity-provider-store.ts';
export * from '#application/ports/auth/stores/link-store.ts';
export * from '#application/ports/auth/stores/mfa-store.ts';
export * from '#application/ports/auth/stores/own-networks.ts';
export * from '#application/ports/auth/stores/passkey-store.ts';
export * from '#application/ports/auth/stores/password-store.ts';
export * from '#application/ports/auth/stores/principal-store.ts';
export * from '#application/ports/auth/stores/rate-limiter.ts';
export * from '#application/ports/auth/stores/session-store.ts';
export * from '#application/ports/auth/stores/sign-in-store.ts';
export * from '#application/ports/auth/stores/signing-key-store.ts';
export * from '#application/ports/auth/totp.ts';
export * from '#application/ports/backlog-reader.ts';
export * from '#application/ports/backup-role.ts';
export * from '#application/ports/clock.ts';
export * from '#application/ports/cursor-signer.ts';
export * from '#application/ports/database-tools.ts';
export * from '#application/ports/deletion/account-eraser.ts';
export * from '#application/ports/deletion/deletion-request-store.ts';
export * from '#application/ports/filters/completion-source.ts';
export * from '#application/ports/filters/custom-field-source.ts';
export * from '#application/ports/filters/custom-field-store.ts';
export * from '#application/ports/filters/device-matcher.ts';
export * from '#application/ports/filters/filter-explainer.ts';
export * from '#application/ports/filters/pattern-checker.ts';
export * from '#application/ports/filters/saved-filter-store.ts';
export * from '#application/ports/fleet/alert-writer.ts';
export * from '#application/ports/fleet/bulk-change-store.ts';
export * from '#application/ports/fleet/device-exporter.ts';
export * from '#application/ports/fleet/device-reader.ts';
export * from '#application/ports/fleet/device-writer.ts';
export * from '#application/ports/fleet/fleet-counter.ts';
export * from '#application/ports/fleet/fleet-lists.ts';
export * from '#application/ports/fleet/fleet-reader.ts';
export * from '#application/ports/fleet/fleet-writer.ts';
export * from '#application/ports/fleet/inventory-store.ts';
export * from '#application/ports/fleet/message-reader.ts';
export * from '#application/ports/fleet/names-in-reach.ts';
export * from '#application/ports/fleet/organization-directory.ts';
export * from '#application/ports/fleet/silence-marker.ts';
export * from '#application/ports/fleet/tenant-directory.ts';
export * from '#application/ports/fleet/unused-title-remover.ts';
export * from '#application/ports/freshness.ts';
export * from '#application/ports/id-generator.ts';
export * from '#application/ports/live/memberships.ts';
export * from '#application/ports/live/subscription-store.ts';
export * from '#application/ports/live/webhook-sender.ts';
export * from '#application/ports/live/webhook-store.ts';
export * from '#application/ports/log.ts';
export * from '#application/ports/mail/mail-outbox.ts';
export * from '#application/ports/mail/mail-sender.ts';
export * from '#application/ports/names.ts';
export * from '#application/ports/partner-maintenance.ts';
export * from '#application/ports/people/people-store.ts';
export * from '#application/ports/search/search-tidier.ts';
export * from '#application/ports/search/searcher.ts';
export * from '#application/ports/unit-of-work.ts';
export type { Precondition } from '#application/precondition.ts';
export {
  type FoundItem,
  makeSearchEverything,
  type SearchEverything,
  type SearchInput,
} from '#application/search/search-everything.ts';
export type {
  PassedOverReason,
  PoolUse,
  ReplicaState,
  ReplicaUse,
} from '#application/telemetry/database-use.ts';
export { GOOD_AT_ONCE, isLinkGood, LINK_LIFETIME_MS } from '#domain/access/account-link.ts';
export { isWithinReach, mayChangeFor, ownersInReach } from '#domain/access/ownership.ts';
export { isCounterFresh } from '#domain/access/passkey.ts';
export {
  type ChangeablePerson,
  comparePeople,
  type Named,
  type Person,
  type PersonPlace,
  type PersonStatus,
} from '#domain/access/person.ts';
export {
  ADMINISTRATOR_ROLES,
  type AdministratorRole,
  administratorRoles,
  type Rights,
} from '#domain/access/rights.ts';
export { canForgetSession } from '#domain/access/session.ts';
export {
  countAttempt,
  NO_ATTEMPTS,
  secondsUntilRoom,
  uncountAttempt,
} from '#domain/access/sliding-window.ts';
export {
  compareNewestRequestFirst,
  isOverdue,
  nextErasureAttempt,
  processByOf,
} from '#domain/deletion/deletion-request.ts';
export { isLasting } from '#domain/device/device.ts';
export { listNodes } from '#domain/filter/conditions/fold-conditions.ts';
export { readActual } from '#domain/filter/evaluate/read-field.ts';
export { markNodes, NodeTally } from '#domain/filter/evaluate/tally-nodes.ts';
export { quotaExceededBy } from '#domain/filter/filter-quota.ts';
export { compareAlerts, compareNamed, compareScripts } from '#domain/fleet/fleet-lists.ts';
export { stateAfter } from '#domain/inventory/device-inventory.ts';
export { findMachine, reportedMachine } from '#domain/inventory/find-machine.ts';
export { machineKeys } from '#domain/inventory/machine-keys.ts';
export {
  compareRankedHits,
  findMatch,
  rankHit,
  toAlertHit,
  toDeviceHit,
  toScriptHit,
} from '#domain/search/search-hit.ts';
export { canBeApproximate, compareSimilarHits, makeRankSimilar } from '#domain/search/similar-hit.ts';
export { sortedName } from '#domain/text/fold-case.ts';
