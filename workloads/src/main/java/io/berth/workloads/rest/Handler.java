package io.berth.workloads.rest;

import io.berth.workloads.http.Answer;

/// Turns a call into its answer; what cannot be served is thrown as a refusal.
public interface Handler {

  Answer handle(Call call);
}
