package io.berth.schema.cel;

/// Who may do what, as expressions ask it through `authorizer`.
public interface Access {

  Decision decide(Question question);

  /// A question. The user is that of the request, or the service account when one is named; a
  /// question about a path has no resource.
  record Question(
      String serviceAccountNamespace,
      String serviceAccountName,
      String verb,
      String path,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name,
      String fieldSelector) {

    /// A question about the requesting user that is still to be made precise.
    public static final Question ANY = new Question("", "", "", "", "", "", "", "", "", "");

    /// About one resource of the cluster, without a verb yet.
    public static Question about(
        String group, String resource, String subresource, String namespace, String name) {
      return new Question("", "", "", "", group, resource, subresource, namespace, name, "");
    }

    Question by(String saNamespace, String saName) {
      return new Question(
          saNamespace,
          saName,
          verb,
          path,
          group,
          resource,
          subresource,
          namespace,
          name,
          fieldSelector);
    }

    Question withVerb(String value) {
      return with(value, path, group, resource, subresource, namespace, name, fieldSelector);
    }

    Question withPath(String value) {
      return with(verb, value, group, resource, subresource, namespace, name, fieldSelector);
    }

    Question withGroup(String value) {
      return with(verb, path, value, resource, subresource, namespace, name, fieldSelector);
    }

    Question withResource(String value) {
      return with(verb, path, group, value, subresource, namespace, name, fieldSelector);
    }

    Question withSubresource(String value) {
      return with(verb, path, group, resource, value, namespace, name, fieldSelector);
    }

    Question withNamespace(String value) {
      return with(verb, path, group, resource, subresource, value, name, fieldSelector);
    }

    Question withName(String value) {
      return with(verb, path, group, resource, subresource, namespace, value, fieldSelector);
    }

    Question withFieldSelector(String value) {
      return with(verb, path, group, resource, subresource, namespace, name, value);
    }

    private Question with(
        String newVerb,
        String newPath,
        String newGroup,
        String newResource,
        String newSubresource,
        String newNamespace,
        String newName,
        String newSelector) {
      return new Question(
          serviceAccountNamespace,
          serviceAccountName,
          newVerb,
          newPath,
          newGroup,
          newResource,
          newSubresource,
          newNamespace,
          newName,
          newSelector);
    }
  }

  /// The answer, and why; `error` is not empty when there is none.
  record Decision(boolean allowed, String reason, String error) {}
}
