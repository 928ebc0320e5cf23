package io.berth.kinds.core;

import io.berth.api.PodResources;
import io.berth.api.Quantity;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.List;
import java.util.Set;

/// Which names resources may have, where, and what their amounts must be.
///
/// Mirrors: core/validation.ValidateContainerResourceName, ValidateResourceQuotaResourceName
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

  /// A resource of any kind of list; says whether it has a name that can be.
  public static boolean validate(String name, Cursor at) {
    var wrong = Names.qualifiedName(name);
    wrong.forEach(complaint -> at.invalid(name, complaint));
    boolean known = isQualified(name) || isStandard(name);
    if (wrong.isEmpty() && !known) {
      at.invalid(name, "must be a standard resource type or fully qualified");
    }
    return wrong.isEmpty() && known;
  }

  /// A resource that a container asks for.
  public static void validateOfContainer(String name, Cursor at) {
    validate(name, at);
    if (!isQualified(name)) {
      if (!CONTAINER.contains(name) && !isHugePages(name)) {
        at.invalid(name, "must be a standard resource for containers");
      }
    } else if (!isNative(name) && !isExtended(name)) {
      at.invalid(name, "doesn't follow extended resource name standard");
    }
  }

  /// A resource that a pod as a whole asks for.
  public static void validateOfPod(String name, Cursor at) {
    if (validate(name, at) && !PodResources.isPodLevel(name)) {
      at.notSupported(name, POD_LEVEL);
    }
  }

  /// A resource that a quota limits.
  public static void validateOfQuota(String name, Cursor at) {
    validate(name, at);
    if (!isQualified(name) && !isOfQuota(name)) {
      at.invalid(name, "must be a standard resource for quota");
    }
  }

  /// Whether a quota knows this resource by its bare name.
  static boolean isOfQuota(String name) {
    return QUOTA.contains(name) || COUNTS.contains(name) || isQuotaHugePages(name);
  }

  /// An amount: never negative, and whole where it counts things.
  public static void validateAmount(String name, Cursor at) {
    validateAmount(name, Quantity.parse(at.text()), at);
  }

  static void validateAmount(String name, Quantity amount, Cursor at) {
    if (amount.amount().signum() < 0) {
      at.invalid(amount.toString(), Checks.NOT_NEGATIVE);
    }
    if ((COUNTS.contains(name) || isExtended(name)) && amount.milliValue() % 1000 != 0) {
      at.invalid(amount.toString(), "must be an integer");
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
