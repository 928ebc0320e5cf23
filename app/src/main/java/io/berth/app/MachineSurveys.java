package io.berth.app;

import io.berth.answers.source.Manifest;
import io.berth.answers.source.ManifestReader;
import io.berth.answers.source.SurveyedResources;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cli.Surveys;
import io.berth.cli.UserError;
import io.berth.codec.Json;
import io.berth.controllers.kubelet.NodeFleet;
import io.berth.kinds.Kind;
import io.berth.kinds.Kinds;
import io.berth.placement.run.TestSources;
import io.berth.store.Codec;
import io.berth.store.CorruptStoreException;
import io.berth.store.Range;
import io.berth.store.Settings;
import io.berth.store.Store;
import io.berth.store.UnusableFolderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads clusters for questions: over their API, from their folders, from snapshots.
final class MachineSurveys implements Surveys {

  private final Map<String, Kind> kinds = new HashMap<>();

  /// What placement follows from, and who makes pods of which template.
  static List<Resource> resources() {
    return SurveyedResources.ALL;
  }

  /// Snapshots and manifests, for placement tests.
  static TestSources forTests() {
    var surveys = new MachineSurveys();
    return new TestSources(file ->
        file.toString().matches(".*\\.(ya?ml|json)") || Files.isDirectory(file)
            ? ManifestReader.read(file)
            : surveys.ofSnapshot(file).manifests());
  }

  @Override
  public Tree withDefaults(Tree object) {
    if (kinds.isEmpty()) {
      new Kinds().all().forEach(kind -> kinds.put(key(kind), kind));
    }
    var kind = kinds.get(object.textOrEmpty("apiVersion") + " " + object.textOrEmpty("kind"));
    if (kind != null) {
      kind.strategy().setDefaults(object);
    }
    return object;
  }

  private static String key(Kind kind) {
    return kind.resource().apiVersion() + " " + kind.resource().kind();
  }

  @Override
  public Found ofCluster(Path kubeconfig, String context) {
    return new ClusterSurvey(kubeconfig, context).read();
  }

  @Override
  public Found ofStopped(Path folder) {
    if (!Files.isDirectory(folder.resolve("store"))) {
      throw UserError.usage("there is no cluster in %s".formatted(folder));
    }
    try (var _ = RunFolder.lock(folder)) {
      return ofStore(folder.resolve("store"));
    } catch (CorruptStoreException e) {
      throw new UserError(e.getMessage() + "; " + MachineExaminations.advice(folder));
    } catch (IOException | UnusableFolderException e) {
      throw new UserError(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Found ofSnapshot(Path file) {
    if (!Files.isRegularFile(file)) {
      throw UserError.usage("%s does not exist".formatted(file));
    }
    try {
      var folder = Files.createTempDirectory("berth-snapshot");
      try {
        Store.restore(file, folder.resolve("store"));
        return ofStore(folder.resolve("store"));
      } finally {
        delete(folder);
      }
    } catch (IOException | UnusableFolderException | CorruptStoreException e) {
      throw UserError.usage(String.valueOf(e.getMessage()));
    }
  }

  private static Found ofStore(Path folder) {
    var settings = Settings.of(new Codec(Json::write, Json::readLenient));
    try (var store = Store.open(folder, settings).store()) {
      var manifests = new ArrayList<Manifest>();
      for (var resource : resources()) {
        for (var entry : store.list(Range.of(resource.group(), resource.plural())).entries()) {
          manifests.add(Manifest.ofCluster(entry.object()));
        }
      }
      return new Found(manifests, List.of(), String.valueOf(store.revision()), null, 1);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  public List<Tree> nodesOf(Tree fleet) {
    try {
      return NodeFleet.of(fleet).nodes();
    } catch (ApiException e) {
      throw UserError.usage(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Found ofFleet(Path file) {
    try {
      var manifests = new ArrayList<Manifest>();
      for (var fleet : StarterNodes.read(file)) {
        fleet.nodes().forEach(node -> manifests.add(Manifest.ofCluster(node)));
      }
      return new Found(manifests, List.of(), "", null, 1);
    } catch (IOException e) {
      throw UserError.usage("%s: cannot be read: %s".formatted(file, e.getMessage()));
    }
  }
}
