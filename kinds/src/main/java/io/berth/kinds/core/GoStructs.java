package io.berth.kinds.core;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Objects as Kubernetes shows them in messages: with the names and order of its internal structs,
/// and every field, set or not.
public record GoStructs(List<String> fields) {

  public static final GoStructs POD_RESOURCE_CLAIM =
      of(
          "Name",
          "name?",
          "ResourceClaimName",
          "resourceClaimName",
          "ResourceClaimTemplateName",
          "resourceClaimTemplateName");
  public static final GoStructs NODE_SELECTOR_REQUIREMENT =
      of("Key", "key?", "Operator", "operator?", "Values", "values");
  public static final GoStructs NODE_SELECTOR_TERM =
      of("MatchExpressions", "matchExpressions", "MatchFields", "matchFields");
  public static final GoStructs TOLERATION =
      of(
          "Key",
          "key?",
          "Operator",
          "operator?",
          "Value",
          "value?",
          "Effect",
          "effect?",
          "TolerationSeconds",
          "tolerationSeconds");
  public static final GoStructs TAINT =
      of("Key", "key?", "Value", "value?", "Effect", "effect?", "TimeAdded", "timeAdded");
  public static final GoStructs CAPABILITIES = of("Add", "add", "Drop", "drop");
  public static final GoStructs SE_LINUX_OPTIONS =
      of("User", "user?", "Role", "role?", "Type", "type?", "Level", "level?");
  public static final GoStructs WINDOWS_OPTIONS =
      of(
          "GMSACredentialSpecName",
          "gmsaCredentialSpecName",
          "GMSACredentialSpec",
          "gmsaCredentialSpec",
          "RunAsUserName",
          "runAsUserName",
          "HostProcess",
          "hostProcess");
  public static final GoStructs PROFILE =
      of("Type", "type?", "LocalhostProfile", "localhostProfile");
  public static final GoStructs SECURITY_CONTEXT =
      of(
          "Capabilities",
          "capabilities",
          "Privileged",
          "privileged",
          "SELinuxOptions",
          "seLinuxOptions",
          "WindowsOptions",
          "windowsOptions",
          "RunAsUser",
          "runAsUser",
          "RunAsGroup",
          "runAsGroup",
          "RunAsNonRoot",
          "runAsNonRoot",
          "ReadOnlyRootFilesystem",
          "readOnlyRootFilesystem",
          "AllowPrivilegeEscalation",
          "allowPrivilegeEscalation",
          "ProcMount",
          "procMount",
          "SeccompProfile",
          "seccompProfile",
          "AppArmorProfile",
          "appArmorProfile");

  /// Go name and JSON name in turn; a JSON name with `?` is a text that is `""` when absent.
  private static GoStructs of(String... fields) {
    return new GoStructs(List.of(fields));
  }

  public Tree of(Tree object) {
    var struct = new Tree();
    for (int i = 0; i < fields.size(); i += 2) {
      boolean text = fields.get(i + 1).endsWith("?");
      var name =
          text ? fields.get(i + 1).substring(0, fields.get(i + 1).length() - 1) : fields.get(i + 1);
      struct.put(fields.get(i), text ? object.textOrEmpty(name) : value(name, object.get(name)));
    }
    return struct;
  }

  public @Nullable List<Tree> ofAll(List<Tree> objects) {
    return objects.isEmpty() ? null : objects.stream().map(this::of).toList();
  }

  private static @Nullable Object value(String field, @Nullable Object value) {
    if (value instanceof Tree tree) {
      return structOf(field).of(tree);
    }
    if (value instanceof List<?> list && !list.isEmpty() && list.getFirst() instanceof Tree) {
      var structs = new ArrayList<Tree>();
      list.forEach(each -> structs.add(NODE_SELECTOR_REQUIREMENT.of((Tree) each)));
      return structs;
    }
    return value;
  }

  private static GoStructs structOf(String field) {
    return switch (field) {
      case "capabilities" -> CAPABILITIES;
      case "seLinuxOptions" -> SE_LINUX_OPTIONS;
      case "windowsOptions" -> WINDOWS_OPTIONS;
      default -> PROFILE;
    };
  }
}
