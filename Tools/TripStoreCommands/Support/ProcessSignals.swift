import Dispatch
import Foundation
import Platform
import Synchronization

/// Signals that ask the process to end. A command that ends by itself notes them; any other ends at once, and says before what stands.
final class ProcessSignals: Sendable {
    private struct State {
        /// The signals that the process was started to ignore, as in a script's background.
        var ignored: Set<Int32> = []
        var isNoting = false
        var wereRaised = false
        var line: (@Sendable () -> String)?
    }

    private let numbers: [Int32]
    private let say: @Sendable (String) -> Void
    private let state = Mutex(State())
    /// Apart from the state, which the handler of a signal takes on the queue on which the installation is awaited.
    private let sources = Mutex<SignalSources?>(nil)

    /// - Parameter say: prints a line for people, on another thread.
    init(_ numbers: [Int32], say: @escaping @Sendable (String) -> Void) {
        (self.numbers, self.say) = (numbers, say)
    }

    /// From now on they are noted. May be repeated.
    func note() {
        state.withLock { $0.isNoting = true }
        install()
    }

    func forget() { state.withLock { ($0.isNoting, $0.wereRaised) = (false, false) } }

    var wereRaised: Bool { state.withLock { $0.wereRaised } }

    /// Keeps the line that is printed before one ends the process; nil for none.
    func keep(_ line: (@Sendable () -> String)?) {
        state.withLock { $0.line = line }
        if line != nil { install() }
    }

    private func install() {
        sources.withLock { sources in
            guard sources == nil else { return }
            let ignored = Set(numbers.filter(ProcessSignal.isIgnored))
            state.withLock { $0.ignored = ignored }
            sources = SignalSources(numbers) { [weak self] in self?.handle($0) }
        }
    }

    private func handle(_ number: Int32) {
        let (isNoted, isIgnored, line) = state.withLock { state in
            if state.isNoting { state.wereRaised = true }
            return (state.isNoting, state.ignored.contains(number), state.line)
        }
        if isNoted {
            // A second one has its default action.
            for number in numbers { signal(number, SIG_DFL) }
        } else if !isIgnored {
            if let line { say(line()) }
            Self.end(by: number)
        }
    }

    /// Ends the process by the default action of a signal, which shells distinguish from an exit.
    private static func end(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        kill(getpid(), number)
        _exit(128 + number)
    }
}

/// Receives signals instead of their default action, as long as it exists.
private final class SignalSources {
    private let sources: [any DispatchSourceSignal]

    /// Returns once they are received: one that was raised before that would be lost, or end the process.
    init(_ numbers: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) {
        let queue = DispatchQueue(label: "tripstore.signals")
        sources = numbers.map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
        let registration = DispatchGroup()
        for (source, number) in zip(sources, numbers) {
            registration.enter()
            source.setRegistrationHandler {
                System.ignoreDefault(number)
                registration.leave()
            }
            source.setEventHandler { handler(number) }
            source.resume()
        }
        // On threads of the queue, some microseconds.
        registration.wait()
    }

    deinit {
        for source in sources { source.cancel() }
    }
}
