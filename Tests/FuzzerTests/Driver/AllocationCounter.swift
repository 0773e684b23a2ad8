import LibFuzzer
import Synchronization

/// Counts the bytes that the program allocates, freed ones included: so time that goes into copying shows, too.
enum AllocationCounter {
    static var bytes: Int { allocated.load(ordering: .relaxed) }

    static func start() {
        // What is initialised when it is first used must be so before it is used to count that.
        _ = bytes
        _ = __sanitizer_install_malloc_and_free_hooks(count, ignore)
    }
}

private let allocated = Atomic<Int>(0)

private func count(_ memory: UnsafeRawPointer?, _ size: Int) { allocated.add(size, ordering: .relaxed) }

private func ignore(_ memory: UnsafeRawPointer?) {}
