package io.berth.schema;

import io.berth.api.Tree;
import java.util.List;

/// A decoded body: the object in canonical form, and what to warn the client about.
public record Decoded(Tree tree, List<String> warnings) {}
