// Generated: node test/scripts/write-client-types.ts
// biome-ignore-all format: generated

/** Every path of the API, with the parameters, bodies and answers of its methods. */
export interface Paths {
	"/api/v1/filters": {
		/** List the saved filters in reach, newest first */
		get: {
			parameters: { query?: {
				/** Only filters whose name or description contains this text, in any case. */
				search?: string;
			}; };
			responses: {
				200: Json<{
						data: Schemas['SavedFilter'][];
						total: number;
					}>;
				default: Refusal;
			};
		};
		/** Save a filter */
		post: {
			requestBody: Json<{
					/** 1 to 200 characters, trimmed. */
					name: string;
					description?: string | null;
					conditions: Schemas['ConditionGroup'];
					orgId?: string | null;
					partnerId?: string | null;
				}>;
			responses: {
				201: Json<Schemas['SavedFilter']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/filters/{id}": {
		/** Read a filter */
		get: {
			parameters: { path: {
				id: string;
			}; header?: {
				/** An ETag from an earlier answer; 304 if the resource has not changed since. */
				"If-None-Match"?: string;
			}; };
			responses: {
				200: Json<Schemas['SavedFilter']>;
				304: Nothing;
				default: Refusal;
			};
		};
		/** Change a filter */
		patch: {
			parameters: { path: {
				id: string;
			}; header?: {
				/** An ETag, or `*`; 412 if the resource has changed since. */
				"If-Match"?: string;
			}; };
			requestBody: Json<{
					/** 1 to 200 characters, trimmed. */
					name?: string;
					description?: string | null;
					conditions?: Schemas['ConditionGroup'];
					confirm?: {
						version: number;
						entering: number;
						leaving: number;
					} | null;
				}>;
			responses: {
				200: Json<Schemas['SavedFilter']>;
				default: Refusal;
			};
		};
		/** Delete a filter */
		delete: {
			parameters: { path: {
				id: string;
			}; query?: {
				/** Deletes the filter even if it has subscriptions, which then end. */
				force?: boolean;
			}; header?: {
				/** An ETag, or `*`; 412 if the resource has changed since. */
				"If-Match"?: string;
			}; };
			requestBody?: Json<{
					confirm?: {
						version: number;
						entering: number;
						leaving: number;
					} | null;
				}>;
			responses: {
				200: Json<Schemas['SavedFilter']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/filters/{id}/versions": {
		/** List the versions of a filter, newest first */
		get: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				200: Json<{
						data: ({
							version: number;
							/** When this version was saved. */
							at: string;
							/** Null if the person is erased or out of reach. */
							by: {
								id: string;
								name: string;
							} | null;
							name: string;
							description: string | null;
							conditions: Schemas['ConditionGroup'];
						})[];
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/filters/{id}/restore": {
		/** Save an earlier version of a filter as its newest version */
		post: {
			parameters: { path: {
				id: string;
			}; header?: {
				/** An ETag, or `*`; 412 if the resource has changed since. */
				"If-Match"?: string;
			}; };
			requestBody: Json<{
					confirm?: {
						version: number;
						entering: number;
						leaving: number;
					} | null;
					/** The number of an earlier version. */
					version: number;
				}>;
			responses: {
				200: Json<Schemas['SavedFilter']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/filters/preview": {
		/** Preview conditions on every organization in reach */
		post: {
			requestBody: Json<{
					conditions: Schemas['ConditionGroup'];
					limit?: number;
				}>;
			responses: {
				200: Json<Schemas['Preview']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/filters/{id}/preview": {
		/** Preview a saved filter in the organizations that it covers */
		post: {
			parameters: { path: {
				id: string;
			}; query?: {
				/** The number of devices in the answer. */
				limit?: number;
			}; };
			responses: {
				200: Json<Schemas['Preview']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/filters/fields": {
		/** List the fields that conditions can use, with their operators */
		get: {
			responses: {
				200: Json<{
						data: ({
							key: string;
							label: string;
							category: string;
							type?: "string" | "enum" | "datetime" | "array" | "boolean" | "number" | "version";
							operators: ("equals" | "notEquals" | "greaterThan" | "greaterThanOrEquals" | "lessThan" | "lessThanOrEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "matches" | "in" | "notIn" | "hasAny" | "hasAll" | "isEmpty" | "isNotEmpty" | "isNull" | "isNotNull" | "before" | "after" | "between" | "withinLast" | "notWithinLast")[];
							/** The values of an enum field. */
							values?: string[];
							description?: string;
							/** Organizations in reach define this field with different types, so conditions cannot use it. */
							ambiguous?: true;
						})[];
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/filters/parse": {
		/** Parse a filter text */
		get: {
			parameters: { query: {
				/** A filter as a line of text. */
				q: string;
			}; };
			responses: {
				200: Json<{
						data: {
							conditions: Schemas['ConditionGroup'];
							q: string;
						};
					}>;
				default: Refusal;
			};
		};
		/** Parse a filter text that does not fit into a URL */
		post: {
			requestBody: Json<{
					q: string;
				}>;
			responses: {
				200: Json<{
						data: {
							conditions: Schemas['ConditionGroup'];
							q: string;
						};
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/filters/format": {
		/** Write conditions as a filter text */
		post: {
			requestBody: Json<{
					conditions: Schemas['ConditionGroup'];
				}>;
			responses: {
				200: Json<{
						data: {
							q: string;
						};
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/filters/complete": {
		/** Propose what can follow in a filter text */
		get: {
			parameters: { query: {
				/** A filter as a line of text. */
				q: string;
				/** The place of the cursor, in UTF-16 code units; by default the end. */
				at?: number;
			}; };
			responses: {
				200: Json<{
						data: {
							from: number;
							to: number;
							items: ({
								insert: string;
								label: string;
								description: string | null;
							})[];
						};
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/filters/explain": {
		/** Explain what each condition and group contributes */
		post: {
			requestBody: Json<{
					conditions?: Schemas['ConditionGroup'];
					/** A filter text instead of conditions. */
					q?: string;
					/** Adds to each node whether this device matches it. */
					deviceId?: string;
				}>;
			responses: {
				200: Json<Schemas['Explanation']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/filters/{id}/impact": {
		/** Read which devices would enter and leave with other conditions */
		post: {
			parameters: { path: {
				id: string;
			}; };
			requestBody: Json<{
					conditions?: Schemas['ConditionGroup'];
					/** A filter text instead of conditions. */
					q?: string;
				}>;
			responses: {
				200: Json<{
						data: Schemas['Impact'];
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/filters/{id}/explain": {
		/** Explain a saved filter in the organizations that it covers */
		post: {
			parameters: { path: {
				id: string;
			}; };
			requestBody?: Json<{
					/** Adds to each node whether this device matches it. */
					deviceId?: string;
				}>;
			responses: {
				200: Json<Schemas['Explanation']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/subscriptions": {
		/** List the subscriptions in reach, newest first */
		get: {
			parameters: { query?: {
				/** Only subscriptions to this filter. */
				filterId?: string;
			}; };
			responses: {
				200: Json<{
						data: Schemas['Subscription'][];
					}>;
				default: Refusal;
			};
		};
		/** Subscribe to a saved filter */
		post: {
			requestBody: Json<{
					filterId: string;
					/** 1 to 200 characters, trimmed. */
					name: string;
					kind: "feed" | "webhook" | "mail";
					/** For webhooks. */
					url?: string | null;
					/** For mails. */
					recipients?: string[] | null;
					/** For mails: sent on changes, or when the number of members crosses a limit. */
					notify?: Schemas['Notify'] | null;
					/** For mails: the fewest seconds between two. */
					batchSeconds?: number | null;
					/** The largest change of the filter that needs no confirmation. */
					guard?: Schemas['Guard'] | null;
				}>;
			responses: {
				201: Json<{
						id: string;
						filterId: string;
						/** 1 to 200 characters, trimmed. */
						name: string;
						kind: "feed" | "webhook" | "mail";
						/** For webhooks. */
						url: string | null;
						/** For mails. */
						recipients: string[] | null;
						/** For mails: sent on changes, or when the number of members crosses a limit. */
						notify: Schemas['Notify'] | null;
						/** For mails: the fewest seconds between two. */
						batchSeconds: number | null;
						/** The largest change of the filter that needs no confirmation. */
						guard: Schemas['Guard'] | null;
						/** `ended`: the filter was deleted, or the receiver is gone. */
						state: "active" | "paused" | "ended";
						createdBy: string;
						createdAt: string;
						/** Signs the deliveries (Standard Webhooks). Only this answer contains it. */
						secret?: string;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/subscriptions/{id}": {
		/** Read a subscription */
		get: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				200: Json<Schemas['Subscription']>;
				default: Refusal;
			};
		};
		/** Rename, pause or resume a subscription */
		patch: {
			parameters: { path: {
				id: string;
			}; };
			requestBody: Json<{
					filterId?: string;
					/** 1 to 200 characters, trimmed. */
					name?: string;
					kind?: "feed" | "webhook" | "mail";
					/** For webhooks. */
					url?: string | null;
					/** For mails. */
					recipients?: string[] | null;
					/** For mails: sent on changes, or when the number of members crosses a limit. */
					notify?: Schemas['Notify'] | null;
					/** For mails: the fewest seconds between two. */
					batchSeconds?: number | null;
					/** The largest change of the filter that needs no confirmation. */
					guard?: Schemas['Guard'] | null;
					state?: "active" | "paused" | "ended";
				}>;
			responses: {
				200: Json<Schemas['Subscription']>;
				default: Refusal;
			};
		};
		/** Delete a subscription */
		delete: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/subscriptions/{id}/resume": {
		/** Resume a webhook or mail subscription where it stopped, or from a cursor */
		post: {
			parameters: { path: {
				id: string;
			}; };
			requestBody?: Json<{
					/** The cursor to continue from; by default where it stopped. */
					from?: string | null;
				}>;
			responses: {
				200: Json<Schemas['Subscription']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/subscriptions/{id}/secret": {
		/** Renew the secret of a webhook */
		post: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				200: Json<{
						/** Signs the deliveries (Standard Webhooks). Only this answer contains it. */
						secret: string;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/subscriptions/{id}/test": {
		/** Send a test to the receiver of a webhook */
		post: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				202: Json<Schemas['Delivery']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/subscriptions/{id}/deliveries": {
		/** List the last 100 deliveries of a webhook, newest first */
		get: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				200: Json<{
						data: Schemas['Delivery'][];
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/subscriptions/{id}/deliveries/{deliveryId}/redeliver": {
		/** Send a delivery again, with the same id and body */
		post: {
			parameters: { path: {
				id: string;
				deliveryId: string;
			}; };
			responses: {
				202: Json<Schemas['Delivery']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/subscriptions/{id}/members": {
		/** Read the members of the filter, with a cursor for reading later changes */
		get: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				200: { content: { "application/x-ndjson": string } };
				default: Refusal;
			};
		};
	};
	"/api/v1/subscriptions/{id}/changes": {
		/** Read which devices entered or left the filter after a cursor, or wait for changes */
		get: {
			parameters: { path: {
				id: string;
			}; query?: {
				/** A cursor from the members or the previous answer. Without one, the answer has only changes from now on. */
				cursor?: string;
				/** The number of latest changes to return, instead of `cursor` and `limit`. Not for server-sent events. */
				latest?: number;
				/** The maximum number of changes in the answer. */
				limit?: number;
				/** Seconds to wait for the first change. Not for server-sent events. */
				wait?: number;
			}; };
			responses: {
				200: { content: { "application/json": {
						data: Schemas['Change'][];
						/** Opaque and signed; works for every subscription to the filter. */
						cursor: string;
						/** Whether more changes are waiting. */
						more: boolean;
					}; "text/event-stream": string } };
				default: Refusal;
			};
		};
	};
	"/api/v1/filters/{id}/history": {
		/** Read how many members a filter had over time */
		get: {
			parameters: { path: {
				id: string;
			}; query?: {
				/** By default a week before `to`. */
				from?: string;
				/** By default now. */
				to?: string;
			}; };
			responses: {
				200: Json<{
						data: {
							at: string;
							count: number;
						}[];
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/devices": {
		/** List devices page by page, sorted as requested */
		get: {
			parameters: { query?: {
				/** A filter text; not together with `filterId`. */
				q?: string;
				/** A saved filter. */
				filterId?: string;
				/** Only devices of this organization. */
				orgId?: string;
				/** `-` before the key reverses the order. */
				sort?: "hostname" | "-hostname" | "displayName" | "-displayName" | "status" | "-status" | "osType" | "-osType" | "deviceRole" | "-deviceRole" | "lastSeenAt" | "-lastSeenAt" | "enrolledAt" | "-enrolledAt" | "metrics.cpuPercent" | "-metrics.cpuPercent" | "metrics.ramPercent" | "-metrics.ramPercent" | "metrics.diskPercent" | "-metrics.diskPercent";
				/** The number of devices on a page; default 50. */
				limit?: number;
				/** The `nextCursor` of the page before. */
				cursor?: string;
				/** The number of devices to skip; not together with a cursor. */
				offset?: number;
				/** Whether to include `totalCount`; by default only on the first page. */
				count?: boolean;
				/** At most 20 field keys, or `software[<title>].version`, whose values are added to each device. Separated by commas. */
				fields?: string;
			}; };
			responses: {
				200: Json<Schemas['DeviceList']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/devices/query": {
		/** List devices by conditions that do not fit a URL */
		post: {
			requestBody: Json<{
					conditions?: Schemas['ConditionGroup'];
					/** A filter text. */
					q?: string;
					/** A saved filter. */
					filterId?: string;
					/** Only devices of this organization. */
					orgId?: string;
					/** `-` before the key reverses the order. */
					sort?: "hostname" | "-hostname" | "displayName" | "-displayName" | "status" | "-status" | "osType" | "-osType" | "deviceRole" | "-deviceRole" | "lastSeenAt" | "-lastSeenAt" | "enrolledAt" | "-enrolledAt" | "metrics.cpuPercent" | "-metrics.cpuPercent" | "metrics.ramPercent" | "-metrics.ramPercent" | "metrics.diskPercent" | "-metrics.diskPercent";
					limit?: number;
					cursor?: string;
					/** The number of devices to skip; not together with a cursor. */
					offset?: number;
					/** Whether to include `totalCount`; by default only on the first page. */
					count?: boolean;
					/** At most 20 field keys, or `software[<title>].version`, whose values are added to each device. */
					fields?: string[];
				}>;
			responses: {
				200: Json<Schemas['DeviceList']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/devices/export": {
		/** Export all devices of a query as CSV or NDJSON */
		post: {
			requestBody: Json<{
					conditions?: Schemas['ConditionGroup'];
					/** A filter text. */
					q?: string;
					/** A saved filter. */
					filterId?: string;
					/** Only devices of this organization. */
					orgId?: string;
					format: "csv" | "ndjson";
					/** Field keys, `id`, `organization` and `site`, in the order of the columns. */
					fields?: string[];
				}>;
			responses: {
				200: { content: { "text/csv": string; "application/x-ndjson": string } };
				default: Refusal;
			};
		};
	};
	"/api/v1/devices/bulk": {
		/** Change tags, custom values or status of all devices of a query at once */
		post: {
			requestBody: Json<{
					conditions?: Schemas['ConditionGroup'];
					/** A filter text. */
					q?: string;
					/** A saved filter. */
					filterId?: string;
					/** Only devices of this organization. */
					orgId?: string;
					/** The ids of at most 1,000 devices. */
					ids?: string[];
					/** How many devices you expect to match. If another number match, nothing changes. */
					expectedCount: number;
					change: {
						addTags?: string[];
						removeTags?: string[];
						/** Values by field key; null removes a value. */
						custom?: { readonly [key: string]: string | number | boolean | null };
						status?: "maintenance" | "decommissioned" | "offline";
					};
				}>;
			responses: {
				200: Json<{
						changed: number;
						/** Devices that needed no change. */
						unchanged: number;
						/** Can be used for ten minutes to undo the change. */
						operationId: string;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/devices/bulk/{id}/undo": {
		/** Undo a change of many devices, except where they have changed since */
		post: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				200: Json<{
						restored: number;
						/** Devices that were changed again, or are gone. */
						skipped: number;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/devices/duplicates": {
		/** List devices that are probably the same machine, the most likely first */
		get: {
			parameters: { query?: {
				/** Only devices of this organization. */
				orgId?: string;
				/** The number of entries on a page. */
				limit?: number;
				/** The `nextCursor` of the page before. */
				cursor?: string;
			}; };
			responses: {
				200: Json<{
						data: ({
							devices: Schemas['DeviceRow'][];
							because: ("serial" | "uuid" | "mac" | "hostname")[];
						})[];
						/** The `cursor` of the next page; null on the last page. */
						nextCursor: string | null;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/devices/{id}": {
		/** Read a device with all that belongs to it */
		get: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				200: Json<Schemas['Device']>;
				default: Refusal;
			};
		};
		/** Change the display name, tags, custom values or status of a device */
		patch: {
			parameters: { path: {
				id: string;
			}; header?: {
				/** An ETag, or `*`; 412 if the resource has changed since. */
				"If-Match"?: string;
			}; };
			requestBody: Json<{
					displayName?: string | null;
					tags?: string[];
					/** Values by field key; null removes a value. */
					custom?: { readonly [key: string]: string | number | boolean | null };
					status?: "maintenance" | "decommissioned" | "offline";
				}>;
			responses: {
				200: Json<Schemas['Device']>;
				default: Refusal;
			};
		};
		/** Delete a device with all that belongs to it */
		delete: {
			parameters: { path: {
				id: string;
			}; header?: {
				/** An ETag, or `*`; 412 if the resource has changed since. */
				"If-Match"?: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/devices/{id}/merge": {
		/** Merge another device of the same organization into this one */
		post: {
			parameters: { path: {
				id: string;
			}; };
			requestBody: Json<{
					/** The device that becomes part of this one. */
					deviceId: string;
					/** Merges even if serial numbers or UUIDs differ. */
					force?: boolean;
				}>;
			responses: {
				200: Json<Schemas['Device']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/devices/{id}/filters": {
		/** List the saved filters of its organization that a device matches */
		get: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				200: Json<{
						data: ({
							id: string;
							name: string;
							/** When the device entered, or the filter was first evaluated; null without an active subscription. */
							since: string | null;
						})[];
						evaluatedAt: string;
					}>;
				default: Refusal;
			};
		};
	};
	"/inventory": {
		/** Report as an agent, in the GLPI protocol */
		post: {
			requestBody: { content: { "application/json": { readonly [key: string]: unknown }; "application/x-compress-zlib": Blob | Uint8Array | string; "application/x-compress-gzip": Blob | Uint8Array | string; "application/xml": Blob | Uint8Array | string } };
			responses: {
				200: Json<{
						status?: "ok" | "pending";
						/** A message that the agent logs. */
						message?: string;
						/** Time until the next contact. */
						expiration?: string;
						tasks?: {
							inventory: {
								server: string;
								version: string;
							};
						};
						/** Tasks that the agent skips until the next contact, including `inventory` if none is due. */
						disabled?: string[];
					}>;
				default: Refusal;
			};
		};
		/** Read an agent's jobs, of which there are none */
		get: {
			responses: {
				200: Json<{
						status?: "ok" | "pending";
						/** A message that the agent logs. */
						message?: string;
						/** Time until the next contact. */
						expiration?: string;
						tasks?: {
							inventory: {
								server: string;
								version: string;
							};
						};
						/** Tasks that the agent skips until the next contact, including `inventory` if none is due. */
						disabled?: string[];
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/inventory": {
		/** Report a machine from a script */
		post: {
			parameters: { query?: {
				/** The organization that owns the device; required if the caller reaches several. */
				orgId?: string;
			}; };
			requestBody: { content: { "application/json": { readonly [key: string]: unknown }; "application/x-compress-zlib": Blob | Uint8Array | string; "application/x-compress-gzip": Blob | Uint8Array | string; "application/xml": Blob | Uint8Array | string } };
			responses: {
				200: Json<{
						deviceId: string;
						created: boolean;
					}>;
				201: Json<{
						deviceId: string;
						created: boolean;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/enrolment-keys": {
		/** List the enrolment keys in reach */
		get: {
			responses: {
				200: Json<{
						data: ({
							id: string;
							orgId: string;
							siteId: string | null;
							name: string;
							/** Null if the key never expires. */
							expiresAt: string | null;
							createdAt: string;
						})[];
					}>;
				default: Refusal;
			};
		};
		/** Create a key that lets machines of an organization report */
		post: {
			requestBody: Json<{
					orgId?: string | null;
					siteId?: string | null;
					/** 1 to 200 characters, trimmed. */
					name: string;
					expiresAt?: string | null;
				}>;
			responses: {
				201: Json<{
						id: string;
						orgId: string;
						siteId: string | null;
						name: string;
						/** Null if the key never expires. */
						expiresAt: string | null;
						createdAt: string;
						key: string;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/enrolment-keys/{id}": {
		/** Revoke an enrolment key */
		delete: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/custom-fields": {
		/** List the custom fields in reach */
		get: {
			responses: {
				200: Json<{
						data: Schemas['CustomField'][];
					}>;
				default: Refusal;
			};
		};
		/** Define a custom field of an organization or a partner */
		post: {
			requestBody: Json<{
					orgId?: string | null;
					partnerId?: string | null;
					/** Filters name the field `custom.` and this key. */
					key: string;
					/** 1 to 200 characters, trimmed. */
					name: string;
					type: "text" | "number" | "boolean" | "dropdown" | "date";
					choices?: string[] | null;
				}>;
			responses: {
				201: Json<Schemas['CustomField']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/custom-fields/{id}": {
		/** Change the name or the choices of a custom field */
		patch: {
			parameters: { path: {
				id: string;
			}; };
			requestBody: Json<{
					orgId?: string | null;
					partnerId?: string | null;
					/** Filters name the field `custom.` and this key. */
					key?: string;
					/** 1 to 200 characters, trimmed. */
					name?: string;
					type?: "text" | "number" | "boolean" | "dropdown" | "date";
					choices?: string[] | null;
				}>;
			responses: {
				200: Json<Schemas['CustomField']>;
				default: Refusal;
			};
		};
		/** Delete the definition of a custom field */
		delete: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/search": {
		/** Search devices, scripts, alerts and settings pages */
		get: {
			parameters: { query: {
				/** 1 to 255 characters. */
				q: string;
				/** The maximum number of results. */
				limit?: number;
				/** Whether each result says where the text was found, unless it is in the title. */
				match?: boolean;
				/** Whether to look for similar titles if nothing contains the text. */
				approximate?: boolean;
				/** Whether each result names its organization, and each alert its device. */
				context?: boolean;
				/** Only results that belong to this organization or its partner, and settings pages. */
				orgId?: string;
			}; };
			responses: {
				200: Json<{
						results: ({
							id: string;
							type: "devices" | "scripts" | "alerts" | "settings";
							title: string;
							description?: string;
							/** For settings pages only. */
							href?: string;
							/** Where the text was found, unless it is in the title. */
							match?: {
								field: string;
								value: string;
							};
							/** Only with `context=true`. */
							organization?: {
								id: string;
								name: string;
							};
							device?: {
								id: string;
								hostname: string;
							} | null;
							/** Present if the title only resembles the text. */
							approximate?: true;
						})[];
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/organizations": {
		/** List the organizations in reach */
		get: {
			responses: {
				200: Json<{
						data: {
							id: string;
							name: string;
							partnerId: string;
							partnerName: string;
							deviceCount: number;
						}[];
					}>;
				default: Refusal;
			};
		};
		/** Create an organization of a partner */
		post: {
			requestBody: Json<{
					/** 1 to 200 characters, trimmed. */
					name: string;
					partnerId?: string | null;
				}>;
			responses: {
				201: Json<{
						id: string;
						partnerId: string;
						name: string;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/sites": {
		/** List sites */
		get: {
			parameters: { query?: {
				/** Only what belongs to this organization. */
				orgId?: string;
			}; };
			responses: {
				200: Json<{
						data: {
							id: string;
							orgId: string;
							name: string;
						}[];
					}>;
				default: Refusal;
			};
		};
		/** Create a site of an organization */
		post: {
			requestBody: Json<{
					orgId?: string | null;
					/** 1 to 200 characters, trimmed. */
					name: string;
				}>;
			responses: {
				201: Json<{
						id: string;
						orgId: string;
						name: string;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/scripts": {
		/** List scripts by name */
		get: {
			parameters: { query?: {
				/** Only scripts whose name or description contains this text, in any case. */
				search?: string;
				/** Only what belongs to this organization. */
				orgId?: string;
				/** The `nextCursor` of the page before. */
				cursor?: string;
				/** The number of entries on a page. */
				limit?: number;
			}; };
			responses: {
				200: Json<{
						data: ({
							id: string;
							orgId: string | null;
							partnerId: string | null;
							name: string;
							description: string | null;
						})[];
						/** The `cursor` of the next page; null on the last page. */
						nextCursor: string | null;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/patches": {
		/** List patches by title, with device counts */
		get: {
			parameters: { query?: {
				/** Only what belongs to this organization. */
				orgId?: string;
				/** Only patches that have this status on at least one device. */
				status?: "pending" | "installed" | "failed";
				/** The `nextCursor` of the page before. */
				cursor?: string;
				/** The number of entries on a page. */
				limit?: number;
			}; };
			responses: {
				200: Json<{
						data: {
							title: string;
							pending: number;
							installed: number;
							failed: number;
						}[];
						/** The `cursor` of the next page; null on the last page. */
						nextCursor: string | null;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/summary": {
		/** The fleet in a few numbers */
		get: {
			parameters: { query?: {
				/** Only what belongs to this organization. */
				orgId?: string;
			}; };
			responses: {
				200: Json<{
						devices: {
							total: number;
							byStatus: {
								online: number;
								offline: number;
								maintenance: number;
								decommissioned: number;
								quarantined: number;
								updating: number;
								pending: number;
							};
							byOsType: {
								windows: number;
								macos: number;
								linux: number;
							};
							byRole: {
								workstation: number;
								server: number;
								printer: number;
								router: number;
								switch: number;
								firewall: number;
								access_point: number;
								phone: number;
								iot: number;
								camera: number;
								nas: number;
								unknown: number;
							};
						};
						/** Last seen more than 7 or 30 days ago. Like `neverSeen`, `patchesPending` and `rebootRequired`, without decommissioned devices. */
						notSeen: {
							days7: number;
							days30: number;
						};
						neverSeen: number;
						alerts: {
							critical: number;
							high: number;
						};
						/** Devices with a pending patch. */
						patchesPending: number;
						/** Devices that need a reboot. */
						rebootRequired: number;
						/** Only for callers with `users:write`. */
						deletionRequestsPending?: number;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/alerts": {
		/** List alerts, newest first */
		get: {
			parameters: { query?: {
				/** Only alerts whose title or message contains this text, in any case. */
				search?: string;
				/** Only alerts in this status. */
				status?: "active" | "acknowledged" | "resolved";
				/** Only alerts of this severity. */
				severity?: "critical" | "high" | "medium" | "low" | "info";
				/** Only what belongs to this organization. */
				orgId?: string;
				/** Only alerts about this device. */
				deviceId?: string;
				/** Whether to count the alerts of all pages. */
				count?: boolean;
				/** The `nextCursor` of the page before. */
				cursor?: string;
				/** The number of entries on a page. */
				limit?: number;
			}; };
			responses: {
				200: Json<{
						data: ({
							id: string;
							orgId: string;
							deviceId: string | null;
							deviceName: string | null;
							title: string;
							message: string | null;
							severity: "critical" | "high" | "medium" | "low" | "info";
							status: "active" | "acknowledged" | "resolved";
							createdAt: string;
						})[];
						/** The `cursor` of the next page; null on the last page. */
						nextCursor: string | null;
						/** Only with `count=true`. */
						totalCount?: number;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/alerts/{id}": {
		/** Read an alert */
		get: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				200: Json<{
						id: string;
						orgId: string;
						deviceId: string | null;
						deviceName: string | null;
						title: string;
						message: string | null;
						severity: "critical" | "high" | "medium" | "low" | "info";
						status: "active" | "acknowledged" | "resolved";
						createdAt: string;
						device: {
							id: string;
							hostname: string;
						} | null;
						organization: {
							id: string;
							name: string;
						};
					}>;
				default: Refusal;
			};
		};
		/** Acknowledge or resolve an alert, or make it active again */
		patch: {
			parameters: { path: {
				id: string;
			}; };
			requestBody: Json<{
					status: "active" | "acknowledged" | "resolved";
				}>;
			responses: {
				200: Json<{
						id: string;
						orgId: string;
						deviceId: string | null;
						deviceName: string | null;
						title: string;
						message: string | null;
						severity: "critical" | "high" | "medium" | "low" | "info";
						status: "active" | "acknowledged" | "resolved";
						createdAt: string;
						device: {
							id: string;
							hostname: string;
						} | null;
						organization: {
							id: string;
							name: string;
						};
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/organizations/{id}": {
		/** Rename an organization */
		patch: {
			parameters: { path: {
				id: string;
			}; };
			requestBody: Json<{
					/** 1 to 200 characters, trimmed. */
					name: string;
				}>;
			responses: {
				200: Json<{
						id: string;
						partnerId: string;
						name: string;
					}>;
				default: Refusal;
			};
		};
		/** Delete an organization that has no devices, people or filters */
		delete: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/partners": {
		/** List the partners */
		get: {
			responses: {
				200: Json<{
						data: {
							id: string;
							name: string;
						}[];
					}>;
				default: Refusal;
			};
		};
		/** Create a partner */
		post: {
			requestBody: Json<{
					/** 1 to 200 characters, trimmed. */
					name: string;
				}>;
			responses: {
				201: Json<{
						id: string;
						name: string;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/partners/{id}": {
		/** Rename a partner */
		patch: {
			parameters: { path: {
				id: string;
			}; };
			requestBody: Json<{
					/** 1 to 200 characters, trimmed. */
					name: string;
				}>;
			responses: {
				200: Json<{
						id: string;
						name: string;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/sites/{id}": {
		/** Rename a site */
		patch: {
			parameters: { path: {
				id: string;
			}; };
			requestBody: Json<{
					/** 1 to 200 characters, trimmed. */
					name: string;
				}>;
			responses: {
				200: Json<{
						id: string;
						orgId: string;
						name: string;
					}>;
				default: Refusal;
			};
		};
		/** Delete a site; its devices stay, without a site */
		delete: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/users": {
		/** List the people in reach by name */
		get: {
			parameters: { query?: {
				/** Only people whose name or email contains this text, in any case. */
				search?: string;
				/** Only people of this organization, without its partner's staff. */
				orgId?: string;
				/** Only this partner's own staff. */
				partnerId?: string;
				/** Only people in this status. */
				status?: "invited" | "active" | "disabled";
				/** The `nextCursor` of the page before. */
				cursor?: string;
				/** The number of entries on a page. */
				limit?: number;
			}; };
			responses: {
				200: Json<{
						data: Schemas['Person'][];
						/** The `cursor` of the next page; null on the last page. */
						nextCursor: string | null;
					}>;
				default: Refusal;
			};
		};
		/** Invite a person, who gets a mail with a link */
		post: {
			requestBody: Json<{
					email: string;
					/** 1 to 200 characters, trimmed. */
					name: string;
					scope?: "organization" | "partner" | "system";
					orgId?: string | null;
					partnerId?: string | null;
					orgIds?: string[] | null;
					permissions?: string[] | null;
				}>;
			responses: {
				201: Json<Schemas['Person']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/users/{id}/invitation": {
		/** Send a new invitation; the earlier link no longer works */
		post: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/users/{id}": {
		/** Remove a person who is still invited */
		delete: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
		/** Read a person */
		get: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				200: Json<Schemas['Person']>;
				default: Refusal;
			};
		};
		/** Change a person's name, permissions, status, organization or partner */
		patch: {
			parameters: { path: {
				id: string;
			}; header?: {
				/** An ETag, or `*`; 412 if the resource has changed since. */
				"If-Match"?: string;
			}; };
			requestBody: Json<{
					/** 1 to 200 characters, trimmed. */
					name?: string;
					permissions?: string[];
					scope?: "organization" | "partner" | "system";
					orgId?: string | null;
					partnerId?: string | null;
					orgIds?: string[] | null;
					isPlatformAdmin?: boolean;
					status?: "active" | "disabled";
				}>;
			responses: {
				200: Json<Schemas['Person']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/users/{id}/mfa-reset": {
		/** Remove a person's second factors and recovery codes, and end their sessions */
		post: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/users/{id}/sessions": {
		/** List where a person is signed in */
		get: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				200: Json<{
						data: ({
							id: string;
							createdAt: string;
							lastUsedAt: string;
							ip: string | null;
							userAgent: string | null;
							/** Whether this request belongs to the session. */
							current: boolean;
						})[];
					}>;
				default: Refusal;
			};
		};
		/** End all of a person's sessions */
		delete: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/users/{id}/sessions/{sessionId}": {
		/** End one of a person's sessions */
		delete: {
			parameters: { path: {
				id: string;
				sessionId: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/users/{id}/api-keys": {
		/** List a person's API keys */
		get: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				200: Json<{
						data: ({
							id: string;
							name: string;
							/** Null if the key reaches all that its user reaches. */
							orgId: string | null;
							permissions: string[];
							/** Null if the key never expires. */
							expiresAt: string | null;
							createdAt: string;
						})[];
						total: number;
					}>;
				default: Refusal;
			};
		};
		/** Revoke all of a person's API keys */
		delete: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/users/{id}/api-keys/{keyId}": {
		/** Revoke one of a person's API keys */
		delete: {
			parameters: { path: {
				id: string;
				keyId: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/identity-providers": {
		/** List the identity providers in reach */
		get: {
			responses: {
				200: Json<{
						data: Schemas['IdentityProvider'][];
					}>;
				default: Refusal;
			};
		};
		/** Set up an identity provider of an organization or a partner */
		post: {
			requestBody: Json<{
					orgId?: string | null;
					partnerId?: string | null;
					/** 1 to 200 characters, trimmed. */
					name: string;
					/** The issuer in the ID tokens. It cannot be changed. */
					issuer: string;
					clientId: string;
					clientSecret: string;
					domains?: {
						domain: string;
						/** Only callers with system scope can set it. */
						verified?: boolean;
					}[];
					/** Whether new people get an account at their first sign-in. */
					provision?: boolean;
					permissions?: string[];
					/** The claim of the ID token that lists groups, or a path to it such as `realm_access.roles`. */
					groupsClaim?: string | null;
					groups?: ({
						group: string;
						permissions: string[];
						orgIds?: string[] | null;
					})[];
					/** Whether a second factor at the provider counts as MFA. */
					trustMfa?: boolean;
					/** Values of `acr` that mean a second factor. */
					acrValues?: string[];
				}>;
			responses: {
				201: Json<Schemas['IdentityProvider']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/identity-providers/{id}": {
		/** Read an identity provider */
		get: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				200: Json<Schemas['IdentityProvider']>;
				default: Refusal;
			};
		};
		/** Change an identity provider */
		patch: {
			parameters: { path: {
				id: string;
			}; };
			requestBody: Json<{
					orgId?: string | null;
					partnerId?: string | null;
					/** 1 to 200 characters, trimmed. */
					name?: string;
					/** The issuer in the ID tokens. It cannot be changed. */
					issuer?: string;
					clientId?: string;
					clientSecret?: string;
					domains?: {
						domain: string;
						/** Only callers with system scope can set it. */
						verified?: boolean;
					}[];
					/** Whether new people get an account at their first sign-in. */
					provision?: boolean;
					permissions?: string[];
					/** The claim of the ID token that lists groups, or a path to it such as `realm_access.roles`. */
					groupsClaim?: string | null;
					groups?: ({
						group: string;
						permissions: string[];
						orgIds?: string[] | null;
					})[];
					/** Whether a second factor at the provider counts as MFA. */
					trustMfa?: boolean;
					/** Values of `acr` that mean a second factor. */
					acrValues?: string[];
				}>;
			responses: {
				200: Json<Schemas['IdentityProvider']>;
				default: Refusal;
			};
		};
		/** Delete an identity provider; its people stay */
		delete: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/identity-providers/{id}/domains/verify": {
		/** Look up the DNS records of unverified domains */
		post: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				200: Json<Schemas['IdentityProvider']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/login": {
		/** Sign in */
		post: {
			requestBody: Json<{
					email?: string | null;
					password?: string | null;
					code?: string | null;
					passkey?: { readonly [key: string]: unknown } | null;
				}>;
			responses: {
				200: Json<{
						/** A JWT, for `Authorization: Bearer`. */
						accessToken: string;
						tokenType: "Bearer";
						/** Seconds. */
						expiresIn: number;
						refreshToken: string;
						user: Schemas['Profile'];
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/refresh": {
		/** Exchange a refresh token for a new pair */
		post: {
			requestBody: Json<{
					refreshToken: string;
				}>;
			responses: {
				200: Json<{
						/** A JWT, for `Authorization: Bearer`. */
						accessToken: string;
						tokenType: "Bearer";
						/** Seconds. */
						expiresIn: number;
						refreshToken: string;
						user: Schemas['Profile'];
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/logout": {
		/** End the session of a refresh token */
		post: {
			requestBody: Json<{
					refreshToken: string;
				}>;
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/session": {
		/** Sign a browser in, with the refresh token in a cookie */
		post: {
			requestBody: Json<{
					email?: string | null;
					password?: string | null;
					code?: string | null;
					passkey?: { readonly [key: string]: unknown } | null;
				}>;
			responses: {
				200: Json<{
						/** A JWT, for `Authorization: Bearer`. */
						accessToken: string;
						tokenType: "Bearer";
						/** Seconds. */
						expiresIn: number;
						user: Schemas['Profile'];
					}>;
				default: Refusal;
			};
		};
		/** Sign the browser out */
		delete: {
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/session/refresh": {
		/** Renew the session in the cookie */
		post: {
			responses: {
				200: Json<{
						/** A JWT, for `Authorization: Bearer`. */
						accessToken: string;
						tokenType: "Bearer";
						/** Seconds. */
						expiresIn: number;
						user: Schemas['Profile'];
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/sessions": {
		/** List where the caller is signed in */
		get: {
			responses: {
				200: Json<{
						data: ({
							id: string;
							createdAt: string;
							lastUsedAt: string;
							ip: string | null;
							userAgent: string | null;
							/** Whether this request belongs to the session. */
							current: boolean;
						})[];
					}>;
				default: Refusal;
			};
		};
		/** End all sessions but the caller's */
		delete: {
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/sessions/{id}": {
		/** End one of the caller's sessions */
		delete: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/password": {
		/** Change the password; the other sessions end */
		post: {
			requestBody: Json<{
					currentPassword: string;
					newPassword: string;
				}>;
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/me": {
		/** Who the caller is */
		get: {
			responses: {
				200: Json<{
						id: string;
						/** Null for a user of an embedding program. */
						email: string | null;
						/** Null for a user of an embedding program. */
						name: string | null;
						scope: "organization" | "partner" | "system" | "none";
						orgId: string | null;
						partnerId: string | null;
						/** Whether all organizations of the partner are in reach. */
						isWholePartner: boolean;
						permissions: string[];
						isPlatformAdmin: boolean;
						mfa: {
							enrolled: boolean;
							verifiedAt: string | null;
						};
						/** Absent if the person has a password. */
						passwordless?: true;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/mfa/enroll": {
		/** Start to set up a second factor */
		post: {
			requestBody: Json<{
					password?: string | null;
				}>;
			responses: {
				200: Json<{
						secret: string;
						otpauthUri: string;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/mfa/enroll/confirm": {
		/** Confirm the second factor with a code; the other sessions end */
		post: {
			requestBody: Json<{
					/** Six digits from an authenticator app, or a recovery code. */
					code: string;
				}>;
			responses: {
				200: Json<{
						recoveryCodes: string[];
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/mfa/challenge": {
		/** Verify a code or a passkey, so that the session has fresh MFA */
		post: {
			requestBody: Json<{
					code?: string | null;
					passkey?: { readonly [key: string]: unknown } | null;
				}>;
			responses: {
				200: Json<{
						/** A JWT, for `Authorization: Bearer`. */
						accessToken: string;
						tokenType: "Bearer";
						/** Seconds. */
						expiresIn: number;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/mfa/recovery-codes": {
		/** Replace the recovery codes */
		post: {
			responses: {
				200: Json<{
						recoveryCodes: string[];
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/passkey/options": {
		/** Get the options with which a browser proves a passkey */
		post: {
			responses: {
				200: Json<{ readonly [key: string]: unknown }>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/passkeys": {
		/** List the caller's passkeys */
		get: {
			responses: {
				200: Json<{
						data: ({
							id: string;
							name: string;
							createdAt: string;
							/** Null if not used yet. */
							lastUsedAt: string | null;
							/** Whether the passkey is synchronized to other devices. */
							backedUp: boolean;
						})[];
					}>;
				default: Refusal;
			};
		};
		/** Add a passkey */
		post: {
			requestBody: Json<{
					/** The browser's answer, as `PublicKeyCredential.toJSON()` gives it. */
					response: { readonly [key: string]: unknown };
					/** 1 to 200 characters, trimmed. */
					name: string;
				}>;
			responses: {
				201: Json<{
						id: string;
						name: string;
						createdAt: string;
						recoveryCodes?: string[];
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/passkeys/options": {
		/** Get the options with which a browser creates a passkey */
		post: {
			requestBody: Json<{
					password?: string | null;
				}>;
			responses: {
				200: Json<{ readonly [key: string]: unknown }>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/passkeys/{id}": {
		/** Remove a passkey; the other sessions end */
		delete: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/api-keys": {
		/** List the caller's API keys */
		get: {
			responses: {
				200: Json<{
						data: ({
							id: string;
							name: string;
							/** Null if the key reaches all that its user reaches. */
							orgId: string | null;
							permissions: string[];
							/** Null if the key never expires. */
							expiresAt: string | null;
							createdAt: string;
						})[];
						total: number;
					}>;
				default: Refusal;
			};
		};
		/** Create an API key */
		post: {
			requestBody: Json<{
					/** 1 to 200 characters, trimmed. */
					name: string;
					permissions?: string[] | null;
					expiresAt?: string | null;
				}>;
			responses: {
				201: Json<{
						id: string;
						name: string;
						/** Null if the key reaches all that its user reaches. */
						orgId: string | null;
						permissions: string[];
						/** Null if the key never expires. */
						expiresAt: string | null;
						createdAt: string;
						key: string;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/api-keys/{id}": {
		/** Revoke an API key */
		delete: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/first-run": {
		/** Whether nobody has an account yet */
		get: {
			responses: {
				200: Json<{
						open: boolean;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/invitation": {
		/** Read an invitation */
		post: {
			requestBody: Json<{
					/** What follows `#` in the link. */
					token: string;
				}>;
			responses: {
				200: Json<{
						email: string | null;
						name: string | null;
						organization: {
							id: string;
							name: string;
						} | null;
						partner: {
							id: string;
							name: string;
						} | null;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/invitation/accept": {
		/** Accept an invitation, and set a password */
		post: {
			requestBody: Json<{
					/** What follows `#` in the link. */
					token: string;
					name?: string | null;
					password: string;
					email?: string | null;
					partnerName?: string | null;
					organizationName?: string | null;
				}>;
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/password-reset": {
		/** Ask for a mail with a link for a new password */
		post: {
			requestBody: Json<{
					email: string;
				}>;
			responses: {
				202: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/password-reset/confirm": {
		/** Set a new password; all sessions end */
		post: {
			requestBody: Json<{
					/** What follows `#` in the link. */
					token: string;
					newPassword: string;
					code?: string | null;
					passkey?: { readonly [key: string]: unknown } | null;
				}>;
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/oidc/start": {
		/** Go to an identity provider to sign in, or to link the account */
		get: {
			parameters: { query?: {
				/** Finds the provider by the email's verified domain. */
				email?: string;
				/** The id of the provider, instead of the email. */
				provider?: string;
				/** The page of the console to open afterward. */
				next?: string;
				/** Whether to link the caller's account; needs an access token with fresh MFA. */
				link?: boolean;
				/** Whether the provider must make the person sign in again. */
				fresh?: boolean;
			}; };
			responses: {
				200: Json<{
						/** The address to which the browser must go. */
						location: string;
					}>;
				302: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/oidc/callback": {
		/** Return from a provider that names itself (RFC 9207) */
		get: {
			responses: {
				302: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/oidc/callback/{id}": {
		/** Return from a provider that does not name itself */
		get: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				302: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/identity-providers": {
		/** List the identity providers that the caller signs in with or can link */
		get: {
			responses: {
				200: Json<{
						data: ({
							id: string;
							/** 1 to 200 characters, trimmed. */
							name: string;
							/** Null if the caller's account is not linked. */
							linkedAt: string | null;
							lastSignInAt: string | null;
							/** Whether this provider created the account, so that it cannot be unlinked. */
							permanent: boolean;
						})[];
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/identity-providers/{id}": {
		/** Unlink the caller's account from an identity provider */
		delete: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				204: Nothing;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/account-deletion-request": {
		/** Read the caller's own deletion request */
		get: {
			responses: {
				200: Json<{
						data: {
							id: string;
							userId: string | null;
							orgId: string | null;
							/** Absent if the caller uses an API key. */
							reason?: string | null;
							status: "pending" | "processing" | "completed" | "cancelled";
							requestedAt: string;
							/** The end of the grace period. */
							processBy: string;
							processedAt: string | null;
							processedBy: string | null;
							adminNote: string | null;
							createdAt: string;
							updatedAt: string;
						} | null;
						latest: {
							id: string;
							userId: string | null;
							orgId: string | null;
							/** Absent if the caller uses an API key. */
							reason?: string | null;
							status: "pending" | "processing" | "completed" | "cancelled";
							requestedAt: string;
							/** The end of the grace period. */
							processBy: string;
							processedAt: string | null;
							processedBy: string | null;
							adminNote: string | null;
							createdAt: string;
							updatedAt: string;
						} | null;
					}>;
				default: Refusal;
			};
		};
		/** Ask for the caller's account to be deleted */
		post: {
			requestBody: Json<{
					password?: string | null;
					reason?: string | null;
				}>;
			responses: {
				200: Json<Schemas['DeletionRequest']>;
				201: Json<Schemas['DeletionRequest']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/auth/account-deletion-request/{id}": {
		/** Cancel the caller's own deletion request */
		patch: {
			parameters: { path: {
				id: string;
			}; };
			requestBody: Json<{
					status: "cancelled";
				}>;
			responses: {
				200: Json<Schemas['DeletionRequest']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/admin/account-deletion-requests": {
		/** List the deletion requests in reach, newest first */
		get: {
			parameters: { query?: {
				/** Only requests in this status. */
				status?: "pending" | "processing" | "completed" | "cancelled";
				/** Only requests of this organization. */
				orgId?: string;
				/** The number of entries on a page. */
				limit?: number;
				/** The number of requests to skip. */
				offset?: number;
			}; };
			responses: {
				200: Json<{
						data: Schemas['ReviewedDeletionRequest'][];
						total: number;
						limit: number;
						offset: number;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/admin/account-deletion-requests/pending-count": {
		/** Count the pending deletion requests in reach */
		get: {
			parameters: { query?: {
				/** Only requests of this organization. */
				orgId?: string;
			}; };
			responses: {
				200: Json<{
						count: number;
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/admin/account-deletion-requests/{id}": {
		/** Read a deletion request */
		get: {
			parameters: { path: {
				id: string;
			}; };
			responses: {
				200: Json<Schemas['ReviewedDeletionRequest']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/admin/account-deletion-requests/{id}/process": {
		/** Approve or reject a deletion request */
		post: {
			parameters: { path: {
				id: string;
			}; };
			requestBody: Json<{
					action: "approve" | "reject";
					adminNote?: string | null;
				}>;
			responses: {
				200: Json<Schemas['ReviewedDeletionRequest']>;
				default: Refusal;
			};
		};
	};
	"/api/v1/admin/audit-log": {
		/** List who did what, newest first */
		get: {
			parameters: { query?: {
				/** Only entries of this action. */
				action?: "filter.create" | "filter.update" | "filter.delete" | "filter.preview" | "filter.saved.preview" | "filter.explain" | "user.account_deletion.requested" | "user.account_deletion.cancelled" | "user.account_deletion.approved" | "user.account_deletion.rejected" | "user.account_deletion.completed" | "auth.login" | "auth.mfa.enrolled" | "auth.mfa.challenge" | "auth.mfa.recovery_codes" | "auth.password.changed" | "auth.passkey.added" | "auth.passkey.removed" | "auth.password.reset" | "auth.session.ended" | "auth.api_key.created" | "auth.api_key.revoked" | "enrolment_key.created" | "enrolment_key.revoked" | "device.enrolled" | "device.update" | "device.bulk_update" | "device.bulk_undo" | "alert.update" | "device.delete" | "device.merge" | "custom_field.create" | "custom_field.update" | "custom_field.delete" | "subscription.created" | "subscription.updated" | "subscription.deleted" | "user.created" | "user.updated" | "user.invited" | "user.invitation_accepted" | "user.invitation_revoked" | "user.disabled" | "user.enabled" | "user.password_reset" | "user.mfa_reset" | "user.session_ended" | "user.api_key_revoked" | "organization.created" | "organization.updated" | "organization.deleted" | "partner.created" | "partner.updated" | "partner.maintenance_began" | "partner.maintenance_ended" | "partner.removed" | "site.created" | "site.updated" | "site.deleted" | "identity_provider.created" | "identity_provider.updated" | "identity_provider.deleted" | "fleet.load" | "fleet.dump" | "fleet.import" | "device.export" | "mail.retried" | "secrets.resealed" | "backup_role.created" | "audit.months_dropped";
				/** Only what was done by people whose name or email contains this text, in any case: 2 to 200 characters. */
				actor?: string;
				/** Only what this user or API key did. */
				actorId?: string;
				/** Only what was done to this resource. */
				resourceId?: string;
				/** Only what concerns this organization. */
				orgId?: string;
				/** Only entries with this result. */
				result?: "success" | "denied";
				/** The first instant, or the first day. */
				from?: string;
				/** The last instant, or the last day. */
				to?: string;
				/** The `nextCursor` of the page before. */
				cursor?: string;
				/** The number of entries on a page. */
				limit?: number;
			}; };
			responses: {
				200: Json<{
						data: ({
							id: string;
							at: string;
							actor: {
								type: "user" | "api_key" | "enrolment_key" | "identity_provider" | "system";
								id: string | null;
								/** The current name. Null if gone, erased or nameless; a resource also if out of reach. */
								name: string | null;
							};
							orgId: string | null;
							/** The current name. Null if gone, erased or nameless; a resource also if out of reach. */
							resourceName: string | null;
							action: "filter.create" | "filter.update" | "filter.delete" | "filter.preview" | "filter.saved.preview" | "filter.explain" | "user.account_deletion.requested" | "user.account_deletion.cancelled" | "user.account_deletion.approved" | "user.account_deletion.rejected" | "user.account_deletion.completed" | "auth.login" | "auth.mfa.enrolled" | "auth.mfa.challenge" | "auth.mfa.recovery_codes" | "auth.password.changed" | "auth.passkey.added" | "auth.passkey.removed" | "auth.password.reset" | "auth.session.ended" | "auth.api_key.created" | "auth.api_key.revoked" | "enrolment_key.created" | "enrolment_key.revoked" | "device.enrolled" | "device.update" | "device.bulk_update" | "device.bulk_undo" | "alert.update" | "device.delete" | "device.merge" | "custom_field.create" | "custom_field.update" | "custom_field.delete" | "subscription.created" | "subscription.updated" | "subscription.deleted" | "user.created" | "user.updated" | "user.invited" | "user.invitation_accepted" | "user.invitation_revoked" | "user.disabled" | "user.enabled" | "user.password_reset" | "user.mfa_reset" | "user.session_ended" | "user.api_key_revoked" | "organization.created" | "organization.updated" | "organization.deleted" | "partner.created" | "partner.updated" | "partner.maintenance_began" | "partner.maintenance_ended" | "partner.removed" | "site.created" | "site.updated" | "site.deleted" | "identity_provider.created" | "identity_provider.updated" | "identity_provider.deleted" | "fleet.load" | "fleet.dump" | "fleet.import" | "device.export" | "mail.retried" | "secrets.resealed" | "backup_role.created" | "audit.months_dropped";
							result: "success" | "denied";
							resourceType: "filter" | "account_deletion_request" | "user" | "session" | "api_key" | "enrolment_key" | "device" | "alert" | "custom_field" | "subscription" | "organization" | "partner" | "site" | "identity_provider" | "fleet" | "mail" | "service";
							resourceId: string | null;
							details: { readonly [key: string]: string | number | boolean | string[] | null };
							requestId: string;
							ip: string | null;
						})[];
						/** The `cursor` of the next page; null on the last page. */
						nextCursor: string | null;
					}>;
				default: Refusal;
			};
		};
	};
	"/healthz": {
		/** Whether the process is alive */
		get: {
			responses: {
				200: Json<{
						status: "ok";
					}>;
				default: Refusal;
			};
		};
	};
	"/readyz": {
		/** Whether requests should be sent here */
		get: {
			responses: {
				200: Json<{
						status: "ready" | "unready";
						checks: { readonly [key: string]: boolean };
						details: {
							watchedFilters: "current" | "late" | "unknown";
						};
					}>;
				default: Refusal;
			};
		};
	};
	"/.well-known/jwks.json": {
		/** The public keys that verify access tokens (RFC 7517) */
		get: {
			responses: {
				200: Json<{
						keys: {
							kty: string;
							crv: string;
							x: string;
							kid: string;
							alg: string;
							use: string;
						}[];
					}>;
				default: Refusal;
			};
		};
	};
	"/api/v1/openapi.json": {
		/** This document */
		get: {
			responses: {
				200: Json<{
						openapi: string;
					}>;
				default: Refusal;
			};
		};
	};
	"/docs": {
		/** This document as a page to read */
		get: {
			responses: {
				200: { content: { "text/html": string } };
				default: Refusal;
			};
		};
	};
}

interface Json<T> {
	content: { 'application/json': T };
}

interface Refusal {
	content: { 'application/problem+json': Schemas['Problem'] };
}

interface Nothing {
	content?: never;
}

/** The bodies and answers that have a name. */
export interface Schemas {
	Change: {
		/** Counts from 1 within the filter, without gaps. */
		seq: number;
		at: string;
		/** Between `degraded` and `recovered`, the filter cannot be evaluated, so its members do not change. */
		type: "entered" | "left" | "degraded" | "recovered";
		deviceId?: string;
		/** Null if the device is gone. */
		hostname?: string | null;
		cause?: "device" | "time" | "filter" | "deleted" | "moved";
		/** The version of the filter that was evaluated. */
		filterVersion: number;
	};
	/** Compares a field with a value. Unknown members are refused. */
	Condition: {
		/** A key from `GET /filters/fields`. */
		field: string;
		operator: "equals" | "notEquals" | "greaterThan" | "greaterThanOrEquals" | "lessThan" | "lessThanOrEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "matches" | "in" | "notIn" | "hasAny" | "hasAll" | "isEmpty" | "isNotEmpty" | "isNull" | "isNotNull" | "before" | "after" | "between" | "withinLast" | "notWithinLast";
		/** The shape depends on the operator. Operators such as `isNull` take no value. */
		value?: unknown;
	};
	/** At least one condition or group. Only the size of the body limits nesting. */
	ConditionGroup: {
		operator: "AND" | "OR";
		conditions: (Schemas['Condition'] | Schemas['ConditionGroup'])[];
	};
	CustomField: {
		id: string;
		orgId?: string;
		/** Present if the field is for all organizations of a partner. */
		partnerId?: string;
		/** Filters name the field `custom.` and this key. */
		key: string;
		/** 1 to 200 characters, trimmed. */
		name: string;
		type: "text" | "number" | "boolean" | "dropdown" | "date";
		/** For dropdowns only. */
		choices?: string[];
	};
	DeletionRequest: {
		id: string;
		userId: string | null;
		orgId: string | null;
		reason: string | null;
		status: "pending" | "processing" | "completed" | "cancelled";
		requestedAt: string;
		/** The end of the grace period. */
		processBy: string;
		processedAt: string | null;
		processedBy: string | null;
		adminNote: string | null;
		createdAt: string;
		updatedAt: string;
	};
	Delivery: {
		/** Sent in the header `webhook-id`. */
		id: string;
		at: string;
		/** `pending`: not tried yet, or to be tried again. */
		status: "pending" | "delivered" | "failed";
		/** The status of the answer to the last attempt. */
		httpStatus: number | null;
		durationMs: number | null;
		/** Why the last attempt failed. */
		error: string | null;
		/** The cursor before the first change; null for a test. */
		from: string | null;
		to: string | null;
	};
	Device: {
		id: string;
		hostname: string;
		displayName: string | null;
		osType: "windows" | "macos" | "linux" | null;
		status: "online" | "offline" | "maintenance" | "decommissioned" | "quarantined" | "updating" | "pending";
		lastSeenAt: string | null;
		orgId: string;
		siteId: string | null;
		osVersion: string | null;
		deviceRole: "workstation" | "server" | "printer" | "router" | "switch" | "firewall" | "access_point" | "phone" | "iot" | "camera" | "nas" | "unknown";
		lastUser: string | null;
		tags: string[];
		enrolledAt: string | null;
		metrics: {
			cpuPercent: number | null;
			ramPercent: number | null;
			diskPercent: number | null;
		};
		patchesPending: boolean;
		/** Whether the device has an active critical alert. */
		alertsCritical: boolean;
		rebootRequired: boolean;
		organization: {
			id: string;
			name: string;
		};
		site: {
			id: string;
			name: string;
		} | null;
		agentVersion: string | null;
		osBuild: string | null;
		architecture: "x64" | "x86" | "arm64" | null;
		lastSeenIp: string | null;
		isHeadless: boolean | null;
		uptimeSeconds: number | null;
		watchdogStatus: "connected" | "failover" | "offline" | null;
		quarantinedAt: string | null;
		hardware: {
			manufacturer: string | null;
			model: string | null;
			serialNumber: string | null;
			cpuModel: string | null;
			gpuModel: string | null;
			cpuCores: number | null;
			/** Mebibytes. */
			ramTotalMb: number | null;
			/** Gibibytes. */
			diskTotalGb: number | null;
		} | null;
		network: ({
			ipAddress: string | null;
			publicIp: string | null;
			macAddress: string | null;
		})[];
		volumes: ({
			/** Drive letter, mount point or label. */
			name: string;
			filesystem: string | null;
			/** Gibibytes. */
			totalGb: number | null;
			/** Gibibytes. */
			freeGb: number | null;
		})[];
		software: ({
			name: string;
			version: string | null;
		})[];
		/** Null if the device never reported patches. */
		patches: ({
			title: string;
			status: "pending" | "installed" | "failed";
		})[] | null;
		alerts: ({
			id: string;
			title: string;
			message: string | null;
			severity: "critical" | "high" | "medium" | "low" | "info";
			status: "active" | "acknowledged" | "resolved";
			createdAt: string;
		})[];
		/** The full lengths of the lists. The answer has at most 1,000 entries of each. */
		totals: {
			network: number;
			volumes: number;
			software: number;
			patches: number;
			alerts: number;
		};
		custom: ({
			key: string;
			name: string;
			type: "text" | "number" | "boolean" | "dropdown" | "date";
			/** The stored value; null if there is none, or it does not fit the definition. */
			value: string | number | boolean | null;
		})[];
	};
	DeviceList: {
		data: ({
			id: string;
			hostname: string;
			displayName: string | null;
			osType: "windows" | "macos" | "linux" | null;
			status: "online" | "offline" | "maintenance" | "decommissioned" | "quarantined" | "updating" | "pending";
			lastSeenAt: string | null;
			orgId: string;
			siteId: string | null;
			osVersion: string | null;
			deviceRole: "workstation" | "server" | "printer" | "router" | "switch" | "firewall" | "access_point" | "phone" | "iot" | "camera" | "nas" | "unknown";
			lastUser: string | null;
			tags: string[];
			enrolledAt: string | null;
			metrics: {
				cpuPercent: number | null;
				ramPercent: number | null;
				diskPercent: number | null;
			};
			patchesPending: boolean;
			/** Whether the device has an active critical alert. */
			alertsCritical: boolean;
			rebootRequired: boolean;
			/** The values of the requested fields. A field with several rows has a list. */
			fields?: { readonly [key: string]: string | number | boolean | string[] | null };
		})[];
		/** The `cursor` of the next page; null on the last page. */
		nextCursor: string | null;
		/** Null if it was not counted; see `count`. */
		totalCount: number | null;
		evaluatedAt: string;
	};
	DeviceRow: {
		id: string;
		hostname: string;
		displayName: string | null;
		osType: "windows" | "macos" | "linux" | null;
		status: "online" | "offline" | "maintenance" | "decommissioned" | "quarantined" | "updating" | "pending";
		lastSeenAt: string | null;
		orgId: string;
		siteId: string | null;
		osVersion: string | null;
		deviceRole: "workstation" | "server" | "printer" | "router" | "switch" | "firewall" | "access_point" | "phone" | "iot" | "camera" | "nas" | "unknown";
		lastUser: string | null;
		tags: string[];
		enrolledAt: string | null;
		metrics: {
			cpuPercent: number | null;
			ramPercent: number | null;
			diskPercent: number | null;
		};
		patchesPending: boolean;
		/** Whether the device has an active critical alert. */
		alertsCritical: boolean;
		rebootRequired: boolean;
	};
	Explanation: {
		data: {
			evaluatedAt: string;
			/** The number of devices in scope. */
			deviceCount: number;
			/** The number of matching devices. */
			totalCount: number;
			/** If present, the counts of nodes are estimates from a sample of devices. `totalCount` and `device` are exact. */
			sample?: {
				devices: number;
				of: number;
			};
			nodes: ({
				/** The path from the outermost group, such as `conditions[0]`. */
				path: string;
				operator: "AND" | "OR" | "equals" | "notEquals" | "greaterThan" | "greaterThanOrEquals" | "lessThan" | "lessThanOrEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "matches" | "in" | "notIn" | "hasAny" | "hasAll" | "isEmpty" | "isNotEmpty" | "isNull" | "isNotNull" | "before" | "after" | "between" | "withinLast" | "notWithinLast";
				/** For conditions only. */
				field?: string;
				/** The number of devices that match this node on its own. */
				count: number;
				/** In an AND: the number of devices that match all other members. */
				countWithout?: number;
				device?: {
					matches: boolean;
					/** The device's value; for conditions only. */
					actual?: unknown;
				};
			})[];
		};
	};
	Guard: {
		devices?: number;
		percent?: number;
	};
	Impact: {
		/** The version that would be changed. */
		version: number;
		/** The number of devices that match now. */
		before: number;
		/** The number of devices that would match. */
		after: number;
		entering: number;
		leaving: number;
		/** The first ten that would enter, and that would leave, by host name. */
		samples: {
			entering: Schemas['DeviceRow'][];
			leaving: Schemas['DeviceRow'][];
		};
		usedBy: ({
			kind: "subscription" | "filter";
			id: string;
			name: string;
		})[];
		evaluatedAt: string;
	};
	Notify: "changes" | {
		above: number;
	} | {
		below: number;
	};
	IdentityProvider: {
		id: string;
		orgId: string | null;
		partnerId: string | null;
		/** The issuer in the ID tokens. It cannot be changed. */
		issuer: string;
		/** 1 to 200 characters, trimmed. */
		name: string;
		clientId: string;
		/** Whether new people get an account at their first sign-in. */
		provision: boolean;
		permissions: string[];
		/** The claim of the ID token that lists groups, or a path to it such as `realm_access.roles`. */
		groupsClaim: string | null;
		/** Whether a second factor at the provider counts as MFA. */
		trustMfa: boolean;
		/** Values of `acr` that mean a second factor. */
		acrValues: string[];
		domains: {
			domain: string;
			verified: boolean;
			/** The TXT record that verifies the domain. */
			record: {
				name: string;
				value: string;
			};
		}[];
		groups: ({
			/** The group as the claim names it. */
			group: string;
			permissions: string[];
			/** Null means all organizations of the partner. */
			orgIds: string[] | null;
		})[];
		createdAt: string;
	};
	Person: {
		id: string;
		email: string;
		name: string;
		scope: "organization" | "partner" | "system";
		orgId: string | null;
		partnerId: string | null;
		/** For a partner's staff: the organizations in reach, or null for all of the partner's. */
		orgIds: string[] | null;
		organization: {
			id: string;
			name: string;
		} | null;
		partner: {
			id: string;
			name: string;
		} | null;
		permissions: string[];
		isPlatformAdmin: boolean;
		status: "invited" | "active" | "disabled";
		mfa: {
			totp: boolean;
			passkeys: number;
		};
		/** The provider that created the account. */
		identityProvider: {
			id: string;
			name: string;
		} | null;
		lastSignInAt: string | null;
		createdAt: string;
	};
	Preview: {
		data: {
			/** The number of matching devices. */
			totalCount: number;
			devices: Schemas['PreviewDevice'][];
			evaluatedAt: string;
		};
	};
	PreviewDevice: {
		id: string;
		hostname: string;
		displayName: string | null;
		osType: "windows" | "macos" | "linux" | null;
		status: "online" | "offline" | "maintenance" | "decommissioned" | "quarantined" | "updating" | "pending";
		lastSeenAt: string | null;
	};
	Profile: {
		id: string;
		email: string;
		name: string;
		scope: "organization" | "partner" | "system" | "none";
		orgId: string | null;
		partnerId: string | null;
		/** Whether all organizations of the partner are in reach. */
		isWholePartner: boolean;
		permissions: string[];
		isPlatformAdmin: boolean;
		mfa: {
			enrolled: boolean;
			verifiedAt: string | null;
		};
		/** Absent if the person has a password. */
		passwordless?: true;
	};
	ReviewedDeletionRequest: {
		id: string;
		userId: string | null;
		orgId: string | null;
		reason: string | null;
		status: "pending" | "processing" | "completed" | "cancelled";
		requestedAt: string;
		/** The end of the grace period. */
		processBy: string;
		processedAt: string | null;
		processedBy: string | null;
		adminNote: string | null;
		createdAt: string;
		updatedAt: string;
		/** Email and name are null if the person is erased or out of reach. */
		user: {
			id: string;
			email: string | null;
			name: string | null;
		};
		/** Null if the person is erased or out of reach. */
		decider: {
			id: string;
			name: string;
		} | null;
		overdue: boolean;
	};
	SavedFilter: {
		id: string;
		orgId: string | null;
		partnerId: string | null;
		name: string;
		description: string | null;
		conditions: Schemas['ConditionGroup'];
		createdBy: string | null;
		/** Null if the person is erased or out of reach. */
		creator: {
			id: string;
			name: string;
		} | null;
		createdAt: string;
		updatedAt: string;
	};
	Subscription: {
		id: string;
		filterId: string;
		/** 1 to 200 characters, trimmed. */
		name: string;
		kind: "feed" | "webhook" | "mail";
		/** For webhooks. */
		url: string | null;
		/** For mails. */
		recipients: string[] | null;
		/** For mails: sent on changes, or when the number of members crosses a limit. */
		notify: Schemas['Notify'] | null;
		/** For mails: the fewest seconds between two. */
		batchSeconds: number | null;
		/** The largest change of the filter that needs no confirmation. */
		guard: Schemas['Guard'] | null;
		/** `ended`: the filter was deleted, or the receiver is gone. */
		state: "active" | "paused" | "ended";
		createdBy: string;
		createdAt: string;
	};
	/** RFC 9457. */
	Problem: {
		type: string;
		title: string;
		status: number;
		/** What is wrong, and what to send instead. */
		detail: string;
		/** The same as `detail`. */
		message: string;
		code: "admin_note_required" | "ambiguous_credentials" | "ambiguous_custom_field" | "bad_request" | "cancelled" | "confirmation_needed" | "conflict" | "cursor_expired" | "count_changed" | "deletion_already_approved" | "different_machines" | "email_taken" | "exceeds_own_rights" | "filter_cycle" | "filter_in_use" | "filter_too_deep" | "filter_timeout" | "forbidden" | "header_fields_too_large" | "internal" | "invalid_credentials" | "invalid_cursor" | "invalid_json" | "invalid_mfa_code" | "invalid_password" | "invalid_refresh_token" | "last_administrator" | "link_invalid" | "method_not_allowed" | "mfa_enrollment_required" | "mfa_not_possible" | "mfa_required" | "domain_taken" | "name_taken" | "not_empty" | "not_found" | "not_invited" | "own_account" | "partner_in_maintenance" | "payload_too_large" | "precondition_failed" | "quota_exceeded" | "rate_limited" | "recent_sign_in_required" | "request_timeout" | "search_timeout" | "too_many_devices" | "too_many_nodes" | "unauthenticated" | "unavailable" | "unsupported_media_type" | "validation_failed";
		requestId: string;
		/** On `count_changed`: how many devices match. */
		actualCount?: number;
		/** On `filter_in_use`: what relies on the filter. */
		usedBy?: ({
			kind: "subscription" | "filter";
			id: string;
			name: string;
		})[];
		impact?: Schemas['Impact'];
		/** On validation failures: every fault, at most 100. */
		errors?: {
			/** Such as `conditions.conditions[0].operator`. */
			path: string;
			/** Stable, such as `out_of_range`. */
			code: string;
			message: string;
			/** The start in the text, in UTF-16 code units. */
			start?: number;
			/** The end in the text. */
			end?: number;
			/** Possible replacements. */
			suggestions?: string[];
		}[];
	};
	AgentFault: {
		status: "error";
		message: string;
	};
}
