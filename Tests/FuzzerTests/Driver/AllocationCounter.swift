import LibFuzzer
import Synchronization

/// Counts the bytes that the program allocates, freed ones included: so time spent on copying shows, too.
enum AllocationCounter {
    static var bytes: Int { allocated.load(ordering: .relaxed) }

    static func start() {
        // Lazily initialised values must exist before counting.
        _ = bytes
        _ = __sanitizer_install_malloc_and_free_hooks(count, ignore)
    }
}

private let allocated = Atomic<Int>(0)

private func count(_ memory: UnsafeRawPointer?, _ size: Int) { allocated.add(size, ordering: .relaxed) }

private func ignore(_ memory: UnsafeRawPointer?) {}
