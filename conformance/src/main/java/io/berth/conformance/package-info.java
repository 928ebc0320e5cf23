/// Decisions recorded from the real kube-scheduler, and how they are replayed.
///
/// A [Case] is a small cluster with a history of [Step]s; [CaseFile] reads and writes them. A
/// [Respondent] lives through the history and answers each decision in the recorded form; [Replay]
/// drives one through a case and [Comparison] says where answer and record differ. Start at
/// [Replay].
@NullMarked
package io.berth.conformance;

import org.jspecify.annotations.NullMarked;
