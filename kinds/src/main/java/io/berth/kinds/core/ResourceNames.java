package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.PodResources;
import io.berth.api.Quantity;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.util.List;
import java.util.Set;

/// Which names resources may have, where, and what their amounts must be.
public final class ResourceNames {

  private static final Set<String> CONTAINER = Set.of("cpu", "memory", "ephemeral-storage");

  private static final Set<String> COUNTS =
      Set.of(
          "pods",
          "resourcequotas",
          "services",
          "replicationcontrollers",
          "secrets",
          "configmaps",
          "persistentvolumeclaims",
          "services.nodeports",
          "services.loadbalancers");

  private static final Set<String> QUOTA =
      Set.of(
          "cpu",
          "memory",
          "ephemeral-storage",
          "requests.cpu",
          "requests.memory",
          "requests.storage",
          "requests.ephemeral-storage",
          "limits.cpu",
          "limits.memory",
          "limits.ephemeral-storage");

  private static final List<String> POD_LEVEL = List.of("cpu", "hugepages-", "memory");

  private ResourceNames() {}

  /// A resource of any kind of list.
  public static void validate(String name, FieldPath path, FieldErrors errors) {
    var wrong = Names.qualifiedName(name);
    Checks.complaints(path, name, wrong, errors);
    if (wrong.isEmpty() && !isQualified(name) && !isStandard(name)) {
      errors.invalid(path, name, "must be a standard resource type or fully qualified");
    }
  }

  /// A resource that a container asks for.
  public static void validateOfContainer(String name, FieldPath path, FieldErrors errors) {
    validate(name, path, errors);
    if (!isQualified(name)) {
      if (!CONTAINER.contains(name) && !isHugePages(name)) {
        errors.invalid(path, name, "must be a standard resource for containers");
      }
    } else if (!isNative(name) && !isExtended(name)) {
      errors.invalid(path, name, "doesn't follow extended resource name standard");
    }
  }

  /// A resource that a pod as a whole asks for.
  public static void validateOfPod(String name, FieldPath path, FieldErrors errors) {
    int before = errors.size();
    validate(name, path, errors);
    if (errors.size() == before && !PodResources.isPodLevel(name)) {
      errors.notSupported(path, name, POD_LEVEL);
    }
  }

  /// A resource that a quota limits.
  public static void validateOfQuota(String name, FieldPath path, FieldErrors errors) {
    validate(name, path, errors);
    if (!isQualified(name) && !isOfQuota(name)) {
      errors.invalid(path, name, "must be a standard resource for quota");
    }
  }

  /// Whether a quota knows this resource by its bare name.
  static boolean isOfQuota(String name) {
    return QUOTA.contains(name) || COUNTS.contains(name) || isQuotaHugePages(name);
  }

  /// An amount: never negative, and whole where it counts things.
  public static void validateAmount(
      String name, Quantity amount, FieldPath path, FieldErrors errors) {
    Checks.nonNegative(path, amount, errors);
    if ((COUNTS.contains(name) || isExtended(name)) && amount.milliValue() % 1000 != 0) {
      errors.invalid(path, amount.toString(), "must be an integer");
    }
  }

  public static boolean isHugePages(String name) {
    return name.startsWith("hugepages-");
  }

  /// Whether requests may be lower than limits.
  static boolean isOvercommitAllowed(String name) {
    return isNative(name) && !isHugePages(name);
  }

  static boolean isNative(String name) {
    return !isQualified(name) || name.contains("kubernetes.io/");
  }

  public static boolean isExtended(String name) {
    return !isNative(name)
        && !name.startsWith("requests.")
        && Names.qualifiedName("requests." + name).isEmpty();
  }

  private static boolean isStandard(String name) {
    return isOfQuota(name) || name.equals("storage");
  }

  private static boolean isQuotaHugePages(String name) {
    return isHugePages(name) || name.startsWith("requests.hugepages-");
  }

  private static boolean isQualified(String name) {
    return name.indexOf('/') >= 0;
  }
}
