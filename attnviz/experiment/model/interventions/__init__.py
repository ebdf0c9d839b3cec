"""The interventions of the model lab, a file each; fields of `attnviz.experiment.model.spec.ModelSpec` carry them."""
