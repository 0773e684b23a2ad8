import Foundation

/// The effect that a signal has on this process.
package enum ProcessSignal {
    /// Whether it is ignored, as in a script's background. Only looks: a handler that were changed for that could miss one.
    package static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        // Functions have no equality. Both are addresses, of which the bits are compared and nothing is called.
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
