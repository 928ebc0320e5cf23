package io.berth.admission;

import io.berth.api.Tree;
import java.util.HashSet;
import java.util.Set;

/// Makes every image be pulled, so that a pod cannot use an image of a private registry only
/// because its node has it.
///
/// Mirrors: plugin/pkg/admission/alwayspullimages.AlwaysPullImages
final class AlwaysPullImages implements AdmissionPlugin {

  @Override
  public String name() {
    return "AlwaysPullImages";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (!Pods.isWrittenBy(request) || isUpdateWithoutNewImages(request)) {
      return;
    }
    var pod = request.object();
    Pods.allContainers(pod).forEach(container -> container.put("imagePullPolicy", "Always"));
    for (var volume : pod.trees("spec", "volumes")) {
      if (volume.get("image") instanceof Tree image) {
        image.put("pullPolicy", "Always");
      }
    }
  }

  private static boolean isUpdateWithoutNewImages(Attributes request) {
    return request.is(Operation.UPDATE)
        && images(request.oldObject()).containsAll(images(request.object()));
  }

  private static Set<String> images(Tree pod) {
    var images = new HashSet<String>();
    Pods.allContainers(pod).forEach(container -> images.add(container.textOrEmpty("image")));
    for (var volume : pod.trees("spec", "volumes")) {
      if (volume.get("image") instanceof Tree image) {
        images.add(image.textOrEmpty("reference"));
      }
    }
    return images;
  }
}
