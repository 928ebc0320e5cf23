package io.berth.schema.apply;

import io.berth.api.Tree;
import org.jspecify.annotations.Nullable;

/// The versions of a kind: fields are owned in the version their manager wrote.
public interface Versions {

  /// The object in another version, or `null` when there is no such version any more. Throws
  /// [io.berth.api.ApiException] when it cannot be converted.
  @Nullable Tree convert(Tree object, String apiVersion);

  /// The structure of the objects of a version that exists.
  Structure structure(String apiVersion);

  /// Versions whose fields are compared as if they were one.
  static Versions alike(Structure structure) {
    return new Versions() {
      @Override
      public Tree convert(Tree object, String apiVersion) {
        return object;
      }

      @Override
      public Structure structure(String apiVersion) {
        return structure;
      }
    };
  }
}
