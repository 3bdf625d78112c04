package import MPaaSSupport

/// The errors of pipelines.
package enum PipelineDomain {}

/// The reason why a pipeline cannot be read, written or run.
package typealias PipelineError = CodedError<PipelineDomain>
