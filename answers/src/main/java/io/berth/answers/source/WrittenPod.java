package io.berth.answers.source;

import io.berth.api.Pod;
import io.berth.api.Tree;

/// A pod whose manifest has been read.
record WrittenPod(Pod pod, Tree tree, Manifest source) implements SurveyedPod {}
