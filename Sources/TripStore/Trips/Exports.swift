// An app imports only TripStore: the types of its parameters and results come with it, and no others. What an app sees of the
// modules below is named here one by one, so that their other types neither clash with an app's nor show up beside them.
@_exported public import Trips

@_exported public import struct EventLog.CommitID
@_exported public import struct EventLog.Finding
@_exported public import struct EventLog.Fork
@_exported public import enum EventLog.Horizon
@_exported public import struct EventLog.IdentityChange
@_exported public import struct EventLog.InvitationCode
@_exported public import enum EventLog.MemberRole
@_exported public import struct EventLog.NeededUpdate
@_exported public import struct EventLog.NeededVersion
@_exported public import struct EventLog.Position
@_exported public import struct EventLog.SequenceNumber
@_exported public import struct EventLog.ServerLocation
@_exported public import struct EventLog.VerificationReport
@_exported public import struct Events.AppendID
@_exported public import struct Events.ContentID
@_exported public import struct Events.Digest
@_exported public import struct Events.EntityKind
@_exported public import struct Events.EntityReference
@_exported public import struct Events.EntityVersion
@_exported public import struct Events.JournalID
@_exported public import struct Events.ReplicaID
@_exported public import struct Events.Timestamp
@_exported public import enum Events.Verb
@_exported public import struct LogExchange.BundleSummary
@_exported public import enum LogExchange.Compression
@_exported public import struct LogExchange.ContentReport
@_exported public import struct LogExchange.ExchangeProgress
@_exported public import struct LogExchange.ExchangeReport
@_exported public import struct LogExchange.Frontier
@_exported public import struct ProjectionEngine.BuildProgress
@_exported public import struct ProjectionEngine.GroupFault
@_exported public import struct ProjectionEngine.ViewStatus
@_exported public import struct TripProjections.Totals
