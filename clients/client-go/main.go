// client-go against the cluster of $KUBECONFIG: informers, dynamic client, apply, leader election.
package main

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

var checks int

func check(what string, holds bool) {
	checks++
	if !holds {
		fmt.Println("FAIL " + what)
		os.Exit(1)
	}
	fmt.Println("ok   " + what)
}

func must(err error) {
	if err != nil {
		fmt.Println("FAIL", err)
		os.Exit(1)
	}
}

func until(ctx context.Context, what string, holds func() bool) {
	err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true,
		func(context.Context) (bool, error) { return holds(), nil })
	check(what, err == nil)
}

func main() {
	ctx := context.Background()
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	must(err)
	config.QPS, config.Burst = 1000, 1000
	client, err := kubernetes.NewForConfig(config)
	must(err)
	namespace, err := client.CoreV1().Namespaces().Create(ctx,
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "go-"}}, metav1.CreateOptions{})
	must(err)
	ns := namespace.Name
	defer func() { must(client.CoreV1().Namespaces().Delete(ctx, ns, metav1.DeleteOptions{})) }()

	informed(ctx, client, ns)
	applied(ctx, client, ns)
	paged(ctx, client, ns)
	untyped(ctx, dynamic.NewForConfigOrDie(config), ns)
	elected(ctx, client, ns)
	fmt.Println(checks, "checks hold")
}

// An informer sees every change of a thousand writes, and ends with what the server has.
func informed(ctx context.Context, client kubernetes.Interface, ns string) {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(ns))
	informer := factory.Core().V1().ConfigMaps()
	var added, removed atomic.Int32
	_, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { added.Add(1) },
		DeleteFunc: func(any) { removed.Add(1) },
	})
	must(err)
	stop := make(chan struct{})
	defer close(stop)
	factory.Start(stop)
	check("an informer syncs", cache.WaitForCacheSync(stop, informer.Informer().HasSynced))
	maps := client.CoreV1().ConfigMaps(ns)
	before := added.Load()
	for i := range 500 {
		name := fmt.Sprintf("m-%d", i)
		_, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		must(err)
		if i%2 == 1 {
			must(maps.Delete(ctx, name, metav1.DeleteOptions{}))
		}
	}
	until(ctx, "it hears of every change", func() bool {
		return added.Load()-before == 500 && removed.Load() == 250
	})
	list, err := maps.List(ctx, metav1.ListOptions{})
	must(err)
	check("its cache is what the server has", len(informer.Informer().GetStore().List()) == len(list.Items))
}

func applied(ctx context.Context, client kubernetes.Interface, ns string) {
	maps := client.CoreV1().ConfigMaps(ns)
	apply := func(manager, value string, force bool) error {
		_, err := maps.Apply(ctx, applycorev1.ConfigMap("applied", ns).WithData(map[string]string{"a": value}),
			metav1.ApplyOptions{FieldManager: manager, Force: force})
		return err
	}
	must(apply("one", "1", false))
	check("applying over another's field is a conflict", errors.IsConflict(apply("two", "2", false)))
	must(apply("two", "2", true))
	got, err := maps.Get(ctx, "applied", metav1.GetOptions{})
	must(err)
	check("force takes it over", got.Data["a"] == "2")
}

func paged(ctx context.Context, client kubernetes.Interface, ns string) {
	seen, next := 0, ""
	for first := true; first || next != ""; first = false {
		page, err := client.CoreV1().ConfigMaps(ns).List(ctx, metav1.ListOptions{Limit: 100, Continue: next})
		must(err)
		seen, next = seen+len(page.Items), page.Continue
	}
	whole, err := client.CoreV1().ConfigMaps(ns).List(ctx, metav1.ListOptions{})
	must(err)
	check("pages add up to the list", seen == len(whole.Items))
}

func untyped(ctx context.Context, client dynamic.Interface, ns string) {
	leases := client.Resource(schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}).Namespace(ns)
	_, err := leases.Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
		"metadata": map[string]any{"name": "l"}, "spec": map[string]any{"holderIdentity": "me"},
	}}, metav1.CreateOptions{})
	must(err)
	got, err := leases.Get(ctx, "l", metav1.GetOptions{})
	must(err)
	holder, _, _ := unstructured.NestedString(got.Object, "spec", "holderIdentity")
	check("the dynamic client reads what it wrote", holder == "me")
}

// Two candidates: when the leader steps down the other one takes over, and never both lead.
func elected(ctx context.Context, client kubernetes.Interface, ns string) {
	var leading, most atomic.Int32
	var took [2]atomic.Bool
	var stops [2]context.CancelFunc
	for i := range 2 {
		own, stop := context.WithCancel(ctx)
		stops[i] = stop
		lock, err := resourcelock.New(resourcelock.LeasesResourceLock, ns, "leader", client.CoreV1(), client.CoordinationV1(),
			resourcelock.ResourceLockConfig{Identity: fmt.Sprint("candidate-", i)})
		must(err)
		go leaderelection.RunOrDie(own, leaderelection.LeaderElectionConfig{
			Lock: lock, ReleaseOnCancel: true,
			LeaseDuration: 5 * time.Second, RenewDeadline: 3 * time.Second, RetryPeriod: 500 * time.Millisecond,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) {
					took[i].Store(true)
					most.Store(max(most.Load(), leading.Add(1)))
				},
				OnStoppedLeading: func() {
					if took[i].Load() {
						leading.Add(-1)
					}
				},
			},
		})
	}
	until(ctx, "a leader is elected", func() bool { return took[0].Load() || took[1].Load() })
	first := 0
	if took[1].Load() {
		first = 1
	}
	stops[first]()
	until(ctx, "the other one takes over", func() bool { return took[1-first].Load() })
	check("there never were two", most.Load() == 1)
	stops[1-first]()
}
