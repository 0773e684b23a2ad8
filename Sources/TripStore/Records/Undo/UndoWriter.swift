import EventLog
import Events
import Foundation

/// Whose commits an undo or a redo of the last one considers.
///
/// An author is a person, who may write on several devices. Where none is named, only the own replica's commits are considered: nobody
/// expects an undo here to take back what was just done elsewhere, and without authors nothing else tells the devices apart.
struct UndoWriter {
    let author: String
    /// The replica that wrote the commits; nil for any.
    var replica: ReplicaID?

    /// The causation and correlation of a commit, if it counts and is this writer's; nil otherwise, or if it cannot be read.
    func authorship(of commit: StoredCommit) -> (causation: UUID?, correlation: UUID?)? {
        guard commit.counts, replica == nil || replica == commit.header.replica,
            let found = try? commit.view.payload?.authorship(), found.author == author
        else { return nil }
        return (found.causation, found.correlation)
    }

    /// An error that says that no commit is left for this writer.
    func nothing(_ what: String) -> TripStoreError {
        let subject = replica == nil ? "There is no commit" : "This device wrote no commit"
        let whose = author.isEmpty ? "without an author" : "in the name of '\(author)'"
        let advice = replica == nil && !author.isEmpty ? "" : " Name the author."
        return TripStoreError(.nothingToUndo, "\(subject) \(whose) that could be \(what).\(advice)")
    }
}
