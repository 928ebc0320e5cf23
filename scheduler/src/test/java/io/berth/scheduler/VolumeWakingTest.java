package io.berth.scheduler;

import static io.berth.scheduler.Manifests.NOBODY;
import static io.berth.scheduler.Manifests.ZONE;
import static io.berth.scheduler.Manifests.attachment;
import static io.berth.scheduler.Manifests.capacity;
import static io.berth.scheduler.Manifests.claim;
import static io.berth.scheduler.Manifests.csiNode;
import static io.berth.scheduler.Manifests.driver;
import static io.berth.scheduler.Manifests.freeVolume;
import static io.berth.scheduler.Manifests.inZone;
import static io.berth.scheduler.Manifests.node;
import static io.berth.scheduler.Manifests.onlyWhere;
import static io.berth.scheduler.Manifests.pod;
import static io.berth.scheduler.Manifests.running;
import static io.berth.scheduler.Manifests.storageClass;
import static io.berth.scheduler.Manifests.unboundClaim;
import static io.berth.scheduler.Manifests.volume;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// As [WakingTest], for the rules about volumes.
class VolumeWakingTest {

  private static final List<WakingRow> ROWS = new ArrayList<>();

  static {
    volumes();
  }

  static List<WakingRow> rows() {
    return ROWS;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void isBoundByTheEventThatHelps(WakingRow row) {
    row.checkBound();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void isLeftAloneByWhatCannotHelp(WakingRow row) {
    row.checkLeftAlone();
  }

  private static void volumes() {
    var uses = "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]";
    row("VolumeRestrictions", "PersistentVolumeClaimAdd")
        .given(node("a", "", "", 4), volume("disk", "", "data"))
        .pod(pod("p", "", uses))
        .harmless(claim("other", "disk"))
        .help(claim("data", "disk"));
    row("VolumeZone", "PersistentVolumeAdd")
        .given(node("a", "", "", 4), claim("data", "disk"))
        .pod(pod("p", "", uses))
        .harmless(claim("other", "disk"))
        .help(volume("disk", "", "data"));
    row("VolumeBinding", "StorageClassAdd")
        .given(node("a", "", "", 4), unboundClaim("data", "fast"))
        .pod(pod("p", "", uses))
        .harmless(storageClass("slow", "WaitForFirstConsumer"))
        .help(storageClass("fast", "WaitForFirstConsumer"));
    row("VolumeBinding", "PersistentVolumeClaimUpdate")
        .given(
            node("a", "", "", 4),
            storageClass("standard", "Immediate"),
            unboundClaim("data", "standard"),
            volume("disk", "", "data"))
        .pod(pod("p", "", uses))
        .harmless(unboundClaim("other", "standard"))
        .harmless(claim("other", "disk"))
        .help(claim("data", "disk"));
    row("VolumeBinding", "PersistentVolumeAdd")
        .given(
            node("a", "", "", 4),
            storageClass("local", "WaitForFirstConsumer").replace("csi.example.com", NOBODY),
            unboundClaim("data", "local"))
        .pod(pod("p", "", uses))
        .harmless(freeVolume("elsewhere", "other"))
        .help(freeVolume("disk", "local"));
    row("VolumeBinding", "PersistentVolumeUpdate")
        .given(
            node("a", "", "", 4),
            storageClass("local", "WaitForFirstConsumer").replace("csi.example.com", NOBODY),
            freeVolume("disk", "local").replace("1Gi", "1Mi"),
            unboundClaim("data", "local"))
        .pod(pod("p", "", uses))
        .harmless(freeVolume("disk", "local").replace("1Gi", "1Mi"))
        .help(freeVolume("disk", "local"));
    row("VolumeBinding", "StorageClassUpdate")
        .given(
            node("a", "disk: here", "", 4),
            storageClass("fast", "WaitForFirstConsumer") + onlyWhere("there"),
            unboundClaim("data", "fast"))
        .pod(pod("p", "", uses))
        .harmless(storageClass("fast", "WaitForFirstConsumer") + onlyWhere("there"))
        .help(storageClass("fast", "WaitForFirstConsumer") + onlyWhere("here"));
    row("VolumeZone", "NodeUpdateLabel")
        .given(
            node("a", ZONE + ": a", "", 4),
            claim("data", "disk"),
            volume("disk", "", "data").replace("{name: disk}", inZone("b")))
        .pod(pod("p", "", uses))
        .harmless(node("a", ZONE + ": a", "", 8))
        .help(node("a", ZONE + ": b", "", 8));
    row("VolumeZone", "PersistentVolumeUpdate")
        .given(
            node("a", ZONE + ": a", "", 4),
            claim("data", "disk"),
            volume("disk", "", "data").replace("{name: disk}", inZone("b")))
        .pod(pod("p", "", uses))
        .harmless(volume("disk", "", "data").replace("{name: disk}", inZone("b")))
        .help(volume("disk", "", "data").replace("{name: disk}", inZone("a")));
    row("VolumeBinding", "NodeAdd")
        .given(
            node("a", "disk: none", "", 4), claim("data", "disk"), volume("disk", "here", "data"))
        .pod(pod("p", "", uses))
        .harmless(node("a", "disk: none", "", 8))
        .help(node("b", "disk: here", "", 4));
    row("VolumeBinding", "NodeUpdateLabel")
        .given(
            node("a", "disk: none", "", 4), claim("data", "disk"), volume("disk", "here", "data"))
        .pod(pod("p", "", uses))
        .harmless(node("a", "disk: none", "", 8))
        .help(node("a", "disk: here", "", 8));
    var fast = storageClass("fast", "WaitForFirstConsumer");
    row("VolumeBinding", "CSIStorageCapacityAdd")
        .given(node("a", "", "", 4), fast, driver(true), unboundClaim("data", "fast"))
        .pod(pod("p", "", uses))
        .harmless(capacity("slow", "9Gi"))
        .help(capacity("fast", "9Gi"));
    row("VolumeBinding", "CSIStorageCapacityUpdate")
        .given(
            node("a", "", "", 4),
            fast,
            driver(true),
            capacity("fast", "2Mi"),
            unboundClaim("data", "fast"))
        .pod(pod("p", "", uses))
        .harmless(capacity("fast", "1Mi"))
        .help(capacity("fast", "9Gi"));
    row("VolumeBinding", "CSIDriverUpdate")
        .given(node("a", "", "", 4), fast, driver(true), unboundClaim("data", "fast"))
        .pod(pod("p", "", uses))
        .harmless(driver(true))
        .help(driver(false));
    row("NodeVolumeLimits", "VolumeAttachmentDelete")
        .given(
            node("a", "", "", 4),
            csiNode("a", 1),
            claim("data", "disk"),
            volume("disk", "", "data"),
            volume("disk2", "", "nobody"),
            attachment("at-a", "disk2"))
        .pod(pod("p", "", uses))
        .harmless(attachment("at-a", "disk2"))
        .help(desk -> desk.removeAttachment("at-a"));
    row("VolumeRestrictions", "AssignedPodDelete")
        .given(
            node("a", "", "", 4),
            claim("data", "disk").replace("ReadWriteOnce", "ReadWriteOncePod"),
            volume("disk", "", "data").replace("ReadWriteOnce", "ReadWriteOncePod"),
            running("x", "a", "", uses),
            running("y", "a", "", ""))
        .pod(pod("p", "", uses))
        .harmless(desk -> desk.removePod("y"))
        .help(desk -> desk.removePod("x"));
    var disk = "volumes: [{name: v, awsElasticBlockStore: {volumeID: %s}}]";
    row("VolumeRestrictions", "AssignedPodDelete, same disk")
        .given(
            node("a", "", "", 4),
            running("x", "a", "", disk.formatted("one")),
            running("y", "a", "", disk.formatted("two")))
        .pod(pod("p", "", disk.formatted("one")))
        .harmless(desk -> desk.removePod("y"))
        .help(desk -> desk.removePod("x"));
    row("VolumeRestrictions", "NodeAdd")
        .given(node("a", "", "", 4), running("x", "a", "", disk.formatted("one")))
        .pod(pod("p", "", disk.formatted("one")))
        .harmless(node("a", "", "", 8))
        .help(node("b", "", "", 4));
    row("NodeVolumeLimits", "AssignedPodDelete")
        .given(
            node("a", "", "", 4),
            csiNode("a", 1),
            claim("data", "disk"),
            claim("more", "disk2"),
            volume("disk", "", "data"),
            volume("disk2", "", "more"),
            running("x", "a", "", uses.replace("data", "more")),
            running("y", "a", "", ""))
        .pod(pod("p", "", uses))
        .harmless(desk -> desk.removePod("y"))
        .help(desk -> desk.removePod("x"));
    row("NodeVolumeLimits", "CSINodeUpdate")
        .given(
            node("a", "", "", 4),
            csiNode("a", 1),
            claim("data", "disk"),
            claim("more", "disk2"),
            volume("disk", "", "data"),
            volume("disk2", "", "more"),
            running("x", "a", "", uses.replace("data", "more")))
        .pod(pod("p", "", uses))
        .harmless(csiNode("a", 1))
        .help(csiNode("a", 2));
  }

  private static WakingRow row(String rejector, String event) {
    var row = new WakingRow(rejector, event);
    ROWS.add(row);
    return row;
  }
}
