package io.berth.bench;

import java.util.List;
import java.util.Locale;

/// A pod and what refuses it: for every rule that can object, and several together.
///
/// `running` is what the specs of pods that are there have beside their container, `asked` the same
/// of the pod in question. Texts have `'` for `"`; NODE and POD stand for the numbers of a node and
/// of a pod on it.
enum ExplainQuestion {
  RESOURCES("", ""),
  /// No two nodes run the same.
  RESOURCES_DIVERSE("", ""),
  PORTS("", ""),
  SELECTOR("", ",'nodeSelector':{'disk':'ssd'}"),
  NODE_AFFINITY("", ",'affinity':{'nodeAffinity':" + nodeTerms() + "}"),
  TAINTS("", ""),
  UNSCHEDULABLE("", ""),
  FEATURES("", ",'hostNetwork':true,'hostUsers':false"),
  RESOURCE_CLAIMS("", ",'resourceClaims':[{'name':'gpu'}]"),
  AFFINITY("", ",'affinity':{'podAffinity':" + term("absent", "zone") + "}"),
  ANTI_AFFINITY_ZONE("", ",'affinity':{'podAntiAffinity':" + term("old", "zone") + "}"),
  ANTI_AFFINITY_HOSTNAME("", ",'affinity':{'podAntiAffinity':" + term("old", "host") + "}"),
  EXISTING_ZONE(",'affinity':{'podAntiAffinity':" + term("new", "zone") + "}", ""),
  EXISTING_HOSTNAME(",'affinity':{'podAntiAffinity':" + term("new", "host") + "}", ""),
  /// Company is wanted in the zone, and none on the host.
  AFFINITY_BOTH(
      "",
      ",'affinity':{'podAffinity':%s,'podAntiAffinity':%s}"
          .formatted(term("old", "zone"), term("old", "host"))),
  SPREAD_ZONE("", ",'topologySpreadConstraints':[" + spread("zone") + "]"),
  SPREAD_HOSTNAME("", ",'topologySpreadConstraints':[" + spread("host") + "]"),
  SPREAD_BOTH("", ",'topologySpreadConstraints':[" + spread("zone") + "," + spread("host") + "]"),
  /// Every other node has a free volume of its own.
  VOLUME_BINDING("", ",'volumes':[" + claim("asked") + "]"),
  VOLUME_CAPACITY("", ",'volumes':[" + claim("asked") + "]"),
  VOLUME_ZONE("", ",'volumes':[" + claim("asked") + "]"),
  VOLUME_LIMITS(",'volumes':[" + claim("c-NODE-POD") + "]", ",'volumes':[" + claim("asked") + "]"),
  VOLUME_RESTRICTIONS(
      ",'volumes':[{'name':'v','gcePersistentDisk':{'pdName':'d-POD'}}]",
      ",'volumes':[{'name':'v','gcePersistentDisk':{'pdName':'d-3'}}]"),
  MIXED(
      "",
      ",'nodeSelector':{'disk':'ssd'},'affinity':{'podAntiAffinity':%s},"
              .formatted(term("old", "host"))
          + "'topologySpreadConstraints':[%s,%s]".formatted(spread("zone"), spread("host")));

  private final String running;
  private final String asked;

  ExplainQuestion(String running, String asked) {
    this.running = running;
    this.asked = asked;
  }

  String shape() {
    return "explain-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String askedPod() {
    var cpu = this == RESOURCES || this == RESOURCES_DIVERSE || this == MIXED ? "3970m" : "1m";
    return pod("asked", "new", cpu, needsPort(), asked);
  }

  String runningPod(int node, int i) {
    var cpu = this == RESOURCES_DIVERSE ? 60 + (node * 31 + i * 7) % 80 : 100;
    var spec = running.replace("NODE", String.valueOf(node)).replace("POD", String.valueOf(i));
    return pod("old-" + node + "-" + i, "old", cpu + "m", needsPort() && i == 0, spec);
  }

  private boolean needsPort() {
    return this == PORTS || this == MIXED;
  }

  private static String pod(String name, String app, String cpu, boolean port, String rest) {
    return ("{'metadata':{'namespace':'default','name':'%s','labels':{'app':'%s'}},"
            + "'spec':{'containers':[{'name':'c','image':'i','resources':{'requests':"
            + "{'cpu':'%s'}}%s}]%s}}")
        .formatted(
            name, app, cpu, port ? ",'ports':[{'hostPort':80,'containerPort':80}]" : "", rest);
  }

  /// What a node's spec says.
  String nodeSpec() {
    return switch (this) {
      case TAINTS, MIXED -> "{'taints':[{'key':'k','value':'v','effect':'NoSchedule'}]}";
      case UNSCHEDULABLE -> "{'unschedulable':true}";
      default -> "{}";
    };
  }

  /// What there is beside nodes and pods: kind and object.
  List<String> objects() {
    return switch (this) {
      case VOLUME_BINDING -> List.of(storageClass("kubernetes.io/no-provisioner"), claimOf(""));
      case VOLUME_CAPACITY ->
          List.of(
              storageClass("d"),
              claimOf(""),
              "{'kind':'CSIDriver','metadata':{'name':'d'},'spec':{'storageCapacity':true}}");
      case VOLUME_LIMITS -> List.of(storageClass("d"), claimOf(""));
      case VOLUME_ZONE ->
          List.of(
              claimOf("v"),
              "{'kind':'PersistentVolume','metadata':{'name':'v','labels':{'%s':'elsewhere'}},%s}"
                  .formatted(Templates.ZONE, volumeSpec("")));
      default -> List.of();
    };
  }

  /// The same for one node.
  List<String> objectsOf(int node) {
    var name = BenchCluster.nodeName(node);
    var metadata = "'metadata':{'name':'%s'}".formatted(name);
    return switch (this) {
      case VOLUME_BINDING ->
          node % 2 == 1
              ? List.of()
              : List.of(
                  "{'kind':'PersistentVolume',%s,%s,'status':{'phase':'Available'}}"
                      .formatted(metadata, volumeSpec(reachedFrom(name))));
      case VOLUME_CAPACITY ->
          List.of(
              ("{'kind':'CSIStorageCapacity',%s,'storageClassName':'s','capacity':'1Mi',"
                      + "'nodeTopology':{'matchLabels':{'%s':'%s'}}}")
                  .formatted(metadata, Templates.HOSTNAME, name));
      case VOLUME_LIMITS ->
          List.of(
              "{'kind':'CSINode',%s,'spec':{'drivers':[{'name':'d','allocatable':{'count':20}}]}}"
                  .formatted(metadata));
      default -> List.of();
    };
  }

  /// The same for one pod on a node.
  List<String> objectsOf(int node, int i) {
    if (this != VOLUME_LIMITS) {
      return List.of();
    }
    var name = "-%d-%d".formatted(node, i);
    return List.of(
        claim("c" + name, "v" + name),
        "{'kind':'PersistentVolume','metadata':{'name':'v%s'},%s}"
            .formatted(name, volumeSpec(",'csi':{'driver':'d','volumeHandle':'v" + name + "'}")));
  }

  private static String storageClass(String provisioner) {
    return ("{'kind':'StorageClass','metadata':{'name':'s'},'provisioner':'%s',"
            + "'volumeBindingMode':'WaitForFirstConsumer'}")
        .formatted(provisioner);
  }

  private static String claimOf(String volume) {
    return claim("asked", volume);
  }

  private static String claim(String name, String volume) {
    return ("{'kind':'PersistentVolumeClaim','metadata':{'namespace':'default','name':'%s',"
            + "'annotations':{%s}},'spec':{'storageClassName':'s','volumeName':'%s',"
            + "'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}")
        .formatted(name, volume.isEmpty() ? "" : "'pv.kubernetes.io/bind-completed':'yes'", volume);
  }

  private static String volumeSpec(String more) {
    return ("'spec':{'storageClassName':'s','capacity':{'storage':'1Gi'},"
            + "'accessModes':['ReadWriteOnce']%s}")
        .formatted(more);
  }

  private static String reachedFrom(String node) {
    return (",'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':"
            + "[{'key':'%s','operator':'In','values':['%s']}]}]}}")
        .formatted(Templates.HOSTNAME, node);
  }

  private static String claim(String name) {
    return "{'name':'v','persistentVolumeClaim':{'claimName':'%s'}}".formatted(name);
  }

  private static String nodeTerms() {
    return ("{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':["
            + "{'matchExpressions':[{'key':'disk','operator':'In','values':['ssd']},"
            + "{'key':'%s','operator':'NotIn','values':['zone1']}]},"
            + "{'matchExpressions':[{'key':'cores','operator':'Gt','values':['4']}]}]}}")
        .formatted(Templates.ZONE);
  }

  private static String key(String key) {
    return key.equals("zone") ? Templates.ZONE : Templates.HOSTNAME;
  }

  private static String term(String app, String key) {
    return ("{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'%s',"
            + "'labelSelector':{'matchLabels':{'app':'%s'}}}]}")
        .formatted(key(key), app);
  }

  private static String spread(String key) {
    return ("{'maxSkew':1,'topologyKey':'%s','whenUnsatisfiable':'DoNotSchedule',"
            + "'labelSelector':{'matchLabels':{'app':'old'}}}")
        .formatted(key(key));
  }
}
