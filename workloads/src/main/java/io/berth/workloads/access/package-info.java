/// Who calls, and what the caller may do: accounts, tokens, roles, rules and scopes.
///
/// Start at [Caller]. An account has rules, a rule gives a role within a scope, a role is a set of
/// actions on types of resources.
@NullMarked
package io.berth.workloads.access;

import org.jspecify.annotations.NullMarked;
