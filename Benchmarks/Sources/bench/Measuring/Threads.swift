import Dispatch
import Foundation

/// Runs `body` on so many threads of their own, `meanwhile` on this one, and waits for all.
func withThreads(_ count: Int, _ body: @escaping (Int) -> Void, meanwhile: () -> Void) {
    withoutActuallyEscaping(body) { body in
        let job = ThreadJob(body: body)
        let group = DispatchGroup()
        for number in 0..<count {
            group.enter()
            Thread.detachNewThread {
                job.body(number)
                group.leave()
            }
        }
        meanwhile()
        group.wait()
    }
}

/// `@unchecked Sendable`: the closure is called from several threads at once, which its author means, and whoever started
/// them waits until they are done.
private struct ThreadJob: @unchecked Sendable {
    let body: (Int) -> Void
}
