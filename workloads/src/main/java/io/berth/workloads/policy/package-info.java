/// Policies: what administrators give workloads by default, and what they allow.
///
/// Pure functions on trees, without state. A policy stands at a [Scope] and has defaults and rules
/// for the fields of [PolicyFields], whose table is `policy.fields`. [PolicyCheck] judges a policy
/// that somebody writes, [EffectivePolicy] joins those of all scopes above a project, and
/// [Compliance] applies the result to what a user submits.
@NullMarked
package io.berth.workloads.policy;

import org.jspecify.annotations.NullMarked;
