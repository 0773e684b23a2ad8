import Platform
import Synchronization

/// A Traveling Snails export as JSON (exportInfo, trips, organizations, addresses, attachments), of any size.
///
/// It is read in passes, so that nothing is used of a file that is no such export or is cut off:
/// ``scan(progress:)`` checks all of it, ``forEachTrip(progress:_:)`` then returns its trips one by one, and
/// ``forEachAttachment(progress:store:problem:body:)`` its attachments. They hold one chunk of the file and one trip at a time, and never the
/// contents of an attachment.
///
/// If an object has a key twice, the last one counts, and the summary names it. Unknown keys are skipped, and null counts as missing.
public struct ExportFile: Sendable {
    let path: String
    let limits: ReaderLimits
    /// Copies of one value share what the first pass found.
    let findings = Findings()

    /// Names a file, which must be a regular, seekable one; each pass opens it.
    public init(path: String) {
        self.init(path: path, limits: ReaderLimits())
    }

    init(path: String, limits: ReaderLimits) {
        self.path = path
        self.limits = limits
    }

    /// What the first pass tells the second.
    struct Finding {
        /// The start of the list of trips. Of two such lists the last counts, which only a whole pass can tell.
        var trips: Mark
        /// The start of the list of attachments; nil if there is none.
        var attachments: Mark?
        /// The file that was checked.
        var identity: FileVersion
    }

    /// The last finding, guarded by a lock.
    final class Findings: Sendable {
        private let latest = Mutex<Finding?>(nil)

        var value: Finding? {
            get { latest.withLock { $0 } }
            set { latest.withLock { $0 = newValue } }
        }
    }
}
