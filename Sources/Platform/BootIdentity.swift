import Foundation

/// Identifies the time since the machine started.
package enum BootIdentity {
    /// Empty where the system has none.
    package static let current: String = {
        if let session = System.bootSession { return session }
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }()
}
