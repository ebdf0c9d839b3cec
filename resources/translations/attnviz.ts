<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" sourcelanguage="en">
<context>
    <name>attnviz</name>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dilated window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fixed width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multi-head attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prefix LM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reverse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Self-attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sort</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sparsemax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Window with global tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz</name>
    <message>
        <source>; nearest: 0.5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {nearest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Animation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer first, then see the picture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bias</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each head is turned off (ablated) in turn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Given weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hidden tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Item</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mark the cells with a click, or with the arrow keys and Space.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean squared error at each training point, predicted from all the others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next ›</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NumPy arrays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Own functions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Painted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right: every cell.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right: you answered {0}, and it is {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rollout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show me</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sinusoidal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The image, overlaid by what the chosen patch attends to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text, shaded by what the chosen token attends to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Untrained: random weights, seed {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Valid lengths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You answered {0}; it is {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your guess</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a lesson has at most {most} steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>distance (key − query)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss (sum of squares)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>masked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured on its probe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>queries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {number}: {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {step} of {steps}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>true or false</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>truth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight × yᵢ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what the heads do</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>x − xᵢ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} bit</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} heads</source>
        <extracomment>one: 1 head</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message numerus="yes">
        <source>{count} tokens</source>
        <extracomment>one: 1 token</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{first} or {rest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} cannot be read: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is larger than {most} MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” is not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>‹ Back</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/api</name>
    <message>
        <source>{said} must be a spec, its values, a preset's name or the path of a file</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/definitions</name>
    <message>
        <source>-1e6 (book)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>-inf (NaN)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>APNG</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours end at the largest weight of each picture, such as a head, instead of 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours end at the largest weight of each row: a row of many keys is as bright as one of few</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns between tabs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns of text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each picture to its largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each power of ten down to 0.0001 takes a quarter of the colours; smaller weights have the lowest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each row to its largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each token attends to its own earlier occurrences.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each token attends to itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each token attends to the one a fixed number of positions before it, whatever token that is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each token attends to the previous token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each token attends to the token after its previous occurrence: the head continues what repeats (induction head).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every new token of a generation, or as many as can be watched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every step of the training, or as many as can be watched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every token attends equally to all tokens up to itself: its row has the largest possible entropy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every token attends to the first one (attention sink): such a head mostly does nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fixed distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For a paper: lines as such. As on screen: the pixels in an SVG</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the inputs to the output, stage by stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GIF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient × weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far away the attended keys are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much one layer writes from each key: the length of its value, weighted and projected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How spread out the rows are, in bits: 0 if each attends to a single key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Induction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It drops negative parts, and MLPs and values count only in the gradient at this one text. Only the row of the predicting token explains the logit. Rows do not sum to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It ignores directions (vectors that cancel in a later sum count as much as others), MLPs and norms; the residual share is chosen, not measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It ignores values, MLPs and norms; the residual share is chosen, not measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It shows one layer alone, without the residual connection, norms and MLPs. Its numbers are lengths, so rows do not sum to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It shows one layer alone: neither what earlier layers have mixed into each position, nor values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel regression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum of heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean of heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm-weighted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Norm-weighted, rolled out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NumPy arrays of every stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On previous</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One NumPy array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One head of the last layer; in the layers before it the mean over heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One number of the spec, from one value to another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PNG</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parquet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plays everywhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Raw weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rollout with the shares of the norm-weighted map in place of weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Row sums</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SVG</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the weight on the first key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the weight on the key before the query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the weight on the key with the query's own position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smaller, with all colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spec</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table with a row for each cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table with a row for each head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table with a row for each run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text and lines as vectors, cells as images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first key, which often takes most of the weight, is hatched; the colours end at the largest of the other weights in the picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The largest distance of a row's sum from 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The largest number of any head, cell by cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The mean over the heads of each layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The product of all layers' weights, each mixed with the residual connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The product over layers of (1 - r) times the shares of the length of the sum over heads of weight times value times output projection, plus r times the identity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The product over layers of (1 - r) times the shares of {heads} the lengths of weight times value times output projection, plus r times the identity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The product over layers of (1 - r) times {heads} the weights plus r times the identity, each row divided by its sum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The product over layers of the identity plus {heads} the positive part of the weights times the gradient of the logit y, minus the identity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The weights of one layer, heads combined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uniform</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights times the gradient of a token's logit with respect to them, rolled out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without the first key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all but the first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attend a fixed distance back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attend to all allowed tokens equally</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attend to earlier occurrences of the token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attend to the previous token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attend to the token after the previous occurrence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attend to the token itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attends a fixed distance back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attends to all allowed tokens equally</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attends to earlier occurrences of the token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attends to the previous token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attends to the token after the previous occurrence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attends to the token itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attends {distance} tokens back, whatever token that is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bfloat16 and float32 reach further</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each row divided by its sum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fixed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fixed distance (−{distance})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>float64 reaches further</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from the third token on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>induction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>logarithmic</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>no training point is in reach of x = {x}: the policy {policy} makes its {count} weights equal, {weight} each.</source>
        <extracomment>one: no training point is in reach of x = {x}: the policy {policy} makes its one weight {weight}.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message numerus="yes">
        <source>no training point is in reach of x = {x}: the policy {policy} makes its {count} weights {weight}.</source>
        <extracomment>one: no training point is in reach of x = {x}: the policy {policy} makes its one weight {weight}.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message numerus="yes">
        <source>no training point is in reach of x = {x}: the policy {policy} sets its {count} weights to 0.</source>
        <extracomment>one: no training point is in reach of x = {x}: the policy {policy} sets its one weight to 0.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>one head of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>park their attention on the first token (attention sink)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parks its attention on the first token (attention sink)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prev</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>previous</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>self</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smaller inputs help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the largest distance between the sum of a row and 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the length of the sum over heads of weight times value times output projection, in layer L</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the maximum over heads of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean entropy of the rows over its maximum, from the third row on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean of the weight in row i and column i</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean of the weight in row i and column i minus 1, from the third row on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean of the weight in row i and column i minus 1, without the first row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean of the weight in row i and column i minus d, for the distance d of two or more with the largest mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean of the weight in row i and column i, from the third row on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean of the weight in the first column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean of the weight in the first column, without the first row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean over heads of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean over the rows of minus the sum of a times the base-2 logarithm of a</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean over the rows of the sum of a times the distance between i and j</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean weight on earlier occurrences of the same token, over the tokens that occurred before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean weight on the token after the previous occurrence, over the tokens that occurred before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens that occurred before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens with one at that distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top: each head's largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top: each row's largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unif</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>uniform</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without the first key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{distance} back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{heads} the length of weight times value times output projection, in layer L</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{heads} the weights of layer L</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has no ending; one of {endings} is needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: {ending} is not among {endings}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{query} may attend to no key: the policy {policy} fills its {count} scores with {fill}, so each weight is {weight}.</source>
        <extracomment>one: {query} may attend to no key: the policy {policy} fills its one score with {fill}, so its weight is {weight}.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message numerus="yes">
        <source>{query} may attend to no key: the policy {policy} sets its {count} weights to 0.</source>
        <extracomment>one: {query} may attend to no key: the policy {policy} sets its one weight to 0.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>|Σ−1|</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/definitions/decoder</name>
    <message>
        <source>A fixed vector of sines and cosines is added to each token's embedding (Vaswani et al. 2017).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A learned vector for each position is added to each token's embedding.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ALiBi</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>AdamW</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each parameter has its own step size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each parameter has its own step size; weight decay shrinks the parameters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each score is lowered in proportion to the distance, in each head by a slope of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient descent with momentum: each step keeps a share of the previous one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the causal mask tells positions apart.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plain gradient descent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queries and keys are rotated by angles that grow with the position.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SGD</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SGD, momentum</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/definitions/functions</name>
    <message>
        <source>1 minus the size of u, at least 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 minus u squared, at least 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 where u is within 1 of 0, else 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2 sin x + x</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2 sin x + x^0.8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: fewer brackets and signs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: the number itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {usage}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; there are {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boxcar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chirp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Constant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epanechnikov</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every point counts equally: the average.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every training point counts, near ones most.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Formula ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gaussian</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Points within one width count equally, others not at all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sinc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Triangular</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight falls with the distance, to 0 at one width.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight falls with the squared distance, to 0 at one width.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>e to the minus u squared over 2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula cannot be read at character {place}: {said}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula holds {length} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula is empty; write one such as 2*sin(x)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula is nested too deep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula stops at character {place}, where a number, x or a function must follow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula {said}: write a power of a power with brackets, such as (x²)³</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula {said}: write {left}*{right} for a product</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula {said}: write {usage}, with brackets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula: a comma may only separate two arguments; a decimal number is written 1.5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula: the number of arguments of {name} must be {count}, not {given}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula: there is no {said}{nearest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula: {name} of a number alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula: {said} at character {place} is not arithmetic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula: {said} at character {place} is not arithmetic; there are + - * / ^ ( )</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula: {said} is not arithmetic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula: {said} is too large</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/definitions/masks</name>
    <message>
        <source>$(i, j)$ allowed by the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>$(i, j)$ not painted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>$j$ not hidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A mask_mod of FlexAttention from a Python file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Causal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cells forbidden by hand, as 'query: keys', such as 1: 3-5 7; 4-6: 2. Drag on the picture to paint.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cells forbidden by hand, of a head or of all of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cells forbidden by the model's own mask.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dilation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every query attends to the first tokens, such as a question, and beyond them causally. Leave Causal off: masks add up, and with it on the prefix is causal too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Global tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many leading keys are real: one per item, or one per query.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many of the first tokens are global; 0 is a sliding window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys are less than this many steps away, in both directions; 1 is the query's own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys that no query may attend to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lengths of documents packed into the sequence, such as 4, 3, 3; each attends to itself alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No looking ahead: a query attends to the keys up to its own position, counted from the top left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other keys are less than this far away, in both directions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Own mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query i attends to keys less than the window away; the first tokens attend to all keys, and all queries to them, so that any two tokens are two steps apart.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query i attends to the keys a multiple of the dilation away, less than window steps, so that few keys cover a long distance.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sliding window: query i attends to keys less than this far away; empty is no window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The length of a step in tokens; 1 is a sliding window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model's own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of tokens that every query attends to; 0 is a causal mask.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a token that is hidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another document ({of_query} and {of_key})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>beyond the prefix of {length}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>beyond valid length {length}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by the model's own mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>causal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dilated window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hidden tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>i and j are less than {window} apart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>i and j are less than {window} apart or one of them is at most {tokens}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>i and j are less than {window} steps of {dilation} apart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>i and j are not painted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>i and j are of one document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>j is at most i</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>j is at most i or {length}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>j is at most the valid length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>j is not hidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask_mod</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>neither near nor global</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>or</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>outside the dilated window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>outside the window of {window}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>painted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>painted by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefix LM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model allows i and j</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model's own mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>valid lengths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>window with global tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>your mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>your mask ({clauses})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>your mask allows i and j</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/definitions/mechanisms</name>
    <message>
        <source>, minus the slope of the head times the distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {nearest}, or the additive module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ALiBi multi-head attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Additive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Additive attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bilinear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bilinear attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Causal multi-head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Causal multi-head attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dot product</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dot-product attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each head scores its own slice of the projected queries and keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Given attention weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hidden size {num_hiddens} does not give each of {num_heads} heads an even number of features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hidden size {num_hiddens} is not divisible by {num_heads} heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multi-head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multi-head attention in which distance lowers a score, in each head by a slope of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multi-head attention that rotates each query and key by its position, so that scores depend on the distance.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multi-head self-attention in which each token attends to itself and to those before it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multi-head, ALiBi</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multi-head, rotary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Q K transposed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Q W_a K transposed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R Q times R K transposed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotary multi-head attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scores are a learned sum of tanh features, so queries and keys may differ in size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scores are products of queries and keys with a learned matrix between them, so that the two may differ in size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scores are products of queries and keys; nothing is learned.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The slowest pairs of features turn by almost 1 / base radians per position; 10000 is usual.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The weights come from a file, computed by another model; nothing is computed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>alibi</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at position i features m and m + {half} are turned by (i - 1) times {base} to the power -2 (m - 1) / {d}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>causal_multi_head always has causal on; turn it on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>causal_multi_head always has self_attention on; turn it on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key_size {key_size} and query_size {query_size} have no dot product</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>num_heads {num_heads} cannot be divided among num_kv_heads {num_kv_heads}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>num_hiddens {num_hiddens} does not give each of num_heads {num_heads} an even number of features, which are rotated in pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>num_hiddens {num_hiddens} is not divisible by num_heads {num_heads}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>product</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rotary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tanh of W_q q + W_k k, {d} features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>their dot product</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>their dot product after rotation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>their product through W_a</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>turned by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>w_v times tanh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>w_v times their {d} tanh features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{num_heads} heads cannot be divided among {num_kv_heads} key-value heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{num_queries} tokens are more than the context length {context_length}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Σ R q · R k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Σ q W_a · k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Σ q · k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Σ w_v · tanh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>− {slope} × |i − j|</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/definitions/score_steps</name>
    <message>
        <source> over the square root of {d}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> over {divisor:.4g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>+ bias</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, all divided by the temperature {temperature:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, at temperature {temperature:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, changed by the score_mod {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, divided by {cap:g}, its tanh, times {cap:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, each vector over its root mean square</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, plus the bias of the head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, with a sink in each row, a learned one for each head, which is dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, with a sink of logit {logit:g} in each row, which is dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added to each score beside −log n, which makes rows of equal scores near 0 sum to about 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each query and key of a head is divided by its root mean square, so that no long vector alone makes a score large.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each weight is the sigmoid of its score minus log n, for n keys, in place of the softmax: no key takes weight from another, and rows need not sum to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each weight is what its score is above a threshold τ, in place of the softmax; τ makes a row sum to 1. Keys below it have a weight of exactly 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No score is larger than this, or smaller than its negative.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One more key of this logit in every row and head, dropped after the softmax: rows sum to less than 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query-key norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sigmoid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sink</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Soft cap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The score of the sink; the larger it is, the less is left for the keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after the norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at least 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cap × tanh(score ÷ cap): small scores stay as they are, and none is beyond the cap.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>capped score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>capped scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>divided score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exp of the sink of the head, {logit:.4g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exp of the sink, {logit:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mod</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>modified score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>modified scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>score_mod</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>score_mod, {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scores over the temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sigmoid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sigmoid of each score, {scores}, minus the logarithm of the number of keys, plus {bias:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sparsemax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sparsemax of each row of scores, {scores}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the cap of {cap} turns the largest of the {count} scores of {query}, {before} of {key}, into {after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the cap of {cap} turns the score that {query} gives {key}, {before}, into {after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the score_mod {name} turns the largest of the {count} scores of {query}, {before} of {key}, into {after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the score_mod {name} turns the score that {query} gives {key}, {before}, into {after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the temperature of {temperature} turns the largest of the {count} scores of {query}, {before} of {key}, into {after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the temperature of {temperature} turns the score that {query} gives {key}, {before}, into {after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{cap:g} × tanh(score ÷ {cap:g})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{query} and {key} are divided by their root mean square: lengths {before} and {key_before} become {after} and {key_after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{query} is divided by the root mean square of its features: its length of {before} becomes {after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>÷ temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>÷ temperature {temperature:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>− log {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>− τ = (sum of the {count} largest − 1) ÷ {count}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/definitions/stages</name>
    <message>
        <source>Q K V</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as it was given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dropout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each head's weights times its values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each weight is kept with probability {keep} and divided by it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head i takes features {size} (i - 1) up to {size} i</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heads out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>masked score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>masked scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>masked scores become minus a million</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>masked scores become minus a million, which is minus infinity in float16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>masked scores become minus infinity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>merge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>queries and keys{step}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rotate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>softmax of each row of scores, {scores}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tanh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the given queries, keys and values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the given weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the heads side by side again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the heads side by side times {layer} transposed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the {inputs} as they are given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the {inputs} times their matrix transposed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unless</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight after dropout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights after dropout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights times values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>where $j$ is masked for $i$</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{filled} unless {rules}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{first} and {second}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{scores}, plus the mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{scores}, with minus a million where the mask forbids a key</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/definitions/tasks</name>
    <message>
        <source>; nearest: another text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A segment of distinct tokens occurs a second time, at a varying position: continue it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After the bar, write the symbols backwards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After the bar, write the symbols in the order of the alphabet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After the bar, write the symbols once more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue a text, character by character.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each digit of the second number attends to the digit of the same place value in the first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the bar on, each token attends to the next larger symbol, or to all that are equal to it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the bar on, each token attends to the symbol mirrored by the position after it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the bar on, each token attends to the symbol to be copied next.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the equals sign on, each token attends to the two digits to be added next.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many symbols there are at most; at least half as many.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length of the repeated segment, in tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirrored position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next larger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other digit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Segment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequence length, in tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Symbols</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The digits of each number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of different tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the sum of two numbers digit by digit, starting with the ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a longer text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model handles 2 to 128 distinct characters, but the text has {different}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a segment of {segment} distinct tokens needs a vocabulary larger than {vocab_size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a sum of numbers of {digits} digits is longer than {num_tokens} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>addends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attend to the digits to be added next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attend to the mirrored position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attend to the next larger token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attend to the same digit of the other number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attend to the symbol to be copied next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attends to the digits to be added next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attends to the mirrored position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attends to the next larger token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attends to the same digit of the other number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attends to the symbol to be copied next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>digit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>larger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mirr</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mirrored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the bar and the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the equals sign and the sum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean, over the answer, of the weight on the symbol that the bar mirrors to the next position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean, over the answer, of the weight on the symbol to be copied next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean, over the answer, of the weight on the symbols that must come next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean, over the digits of the second number, of the weight on the digit of the same place value in the first number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean, over the sum, of the weight on the two digits that are added next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the second number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text has {characters} characters, fewer than twice {num_tokens} tokens; some of it is held out for testing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text has {characters} characters, fewer than {num_tokens} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>twice a segment of {segment} is more than {num_tokens} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{num_tokens} tokens, of which {segment} occur twice, need a vocabulary larger than {vocab_size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{symbols} symbols, a bar and their answer are more than {num_tokens} tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/engine</name>
    <message>
        <source>; it has none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; it has: {arrays}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; it has: {arrays}, and {more} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a part of the queries, keys and values needs less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a part of the weights needs less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose an {either} file to read queries, keys and values from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose an {either} file to read weights from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in {language}, step {number} has other parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in {language}, step {number} shows different numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in {language}, the block of step {number} is another one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it ended its process: it needs too much memory, or is broken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it needs more than {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it starts more than {most} processes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it takes more than {most} seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {step} must be in 0..{steps}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the memory of {device} ran out when {size} more were asked for; {remedy}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the memory of {device} ran out; {remedy}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the run failed unexpectedly: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the run failed: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the view is at {name} {place}, but the last one is {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no device {device} here; this machine has {known}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no stage {said} here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this run needs about {size}, but {device} has {free} free; {remedy}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{language} has another block, or as many steps no more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has no array {missing}{known}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} holds no plain arrays of numbers that can be read (pickled objects never are)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} must end in {either}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} needs more memory than is free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} needs more memory than is free, or is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} unpacks to {size} MiB; at most {most} MiB are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: {name} has shape {shape}; at most {items} items of {most} by {most} are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: {name} has shape {shape}; needed (length, size) or (batch, length, size), none of them 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: {name} has shape {shape}; needed (out, in)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: {name} holds {dtype}, not real numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: {name} holds {value} at {place}; every number must be finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} is not a control that acts here</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/engine/attention</name>
    <message>
        <source>; nearest: float32, or the cpu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: multi_head with causal on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer queries, keys, heads or batch items need less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mps has no float64</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the output is not finite in {dtype}; {further}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights of item {item}, head {head_number}, query {query} are not finite: the scores overflow {dtype}; a wider precision, scaling or a higher temperature helps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} in the file has shape {shape}; num_hiddens {num_hiddens} and the inputs need {needed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: queries, keys and values do not fit each other: {shapes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: {mechanism} attends to its own tokens, but keys and values differ from queries</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/engine/attention/mods</name>
    <message>
        <source>; nearest: a = a + b</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: a call of it with values, such as {name}(4)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: a comparison, such as q_idx &gt;= kv_idx</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: a tensor drawn outside, indexed by the arguments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: install it, or remove its import</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: raise ValueError with a message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: torch.where with three arguments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {advice}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an index is outside a captured tensor: {error}; the sizes here are {sizes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it ends the program (sys.exit)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its process ended ({code}); it exits, crashes or needs too much memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the function calls itself without end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no function {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no function {name}; the file has {known}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no module {module} in this environment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is not enough memory for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vmap computes all cells at once, so a tensor has no single value for "{construct}"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vmap computes all cells at once, so a tensor has no single value here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vmap forbids changing this tensor in place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vmap forbids random numbers in a mod</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vmap forbids results whose size depends on values, such as nonzero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>while it is imported, {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} is Python code that was not allowed to run; read it first, then allow it (in a terminal: --allow-code)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file}, line {line}: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has the parameters {signature}, so it is a {other}; a {kind} has {needed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has the parameters {signature}; a {kind} has {needed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is of type {type}, not a function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} returns a tensor of shape {shape}; a {kind} returns one value per cell, of shape ()</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} returns a value of type {type}, not a function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} returns a value of type {type}; a {kind} returns a tensor computed from its arguments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} returns {dtype}; a mask_mod returns bool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} returns {dtype}; a score_mod returns real numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}{signature} cannot be called like this: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}{signature} makes a function, and is none itself</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/engine/model</name>
    <message>
        <source>; nearest: float32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: float32, or fewer interventions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: temperature 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: the module before that</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {most} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How this model computes its scores is not known: the weights are its own, and the stages before them are left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: {inputs}. The model reads the text alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mamba: no weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the encoder is shown, not the decoder or its cross-attention: {why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder has no head that predicts tokens: its decoder reads the target, and writes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keys and values of this layer are those of layer {layer}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This family does not use transformers' attention interface; its attention was found by its softmax.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This folder expects a chat: Chat wraps the text as a user's turn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model of the family {family} has no token embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model of the family {family} reads an image, and none is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model of the family {family} takes {inputs}; this lab takes text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a part of this model's attention cannot be followed, so none is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a shorter text or a smaller model needs less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a smaller model, or float16, needs less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all heads of these layers are off, so there is no other set of as many</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attention that could not be recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attnviz failed to record this model, a defect of attnviz: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>building the model that config.json describes takes {taken}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot read {file} in {folder}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comparing with the model's own run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>config.json describes a model of many more parts than the {found} weights of the files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>config.json describes a model of {wanted} numbers, but the files hold {found}: weights are missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>convolution: no weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cross-attention: not run, there is nothing to attend to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>feed-forward layer: no weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer new tokens, a shorter text or a smaller model need less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has more than {most} entries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is longer than {most} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is nested deeper than {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is {value}; at most {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its header is too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its keys are not the numbers from 0 on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its weights overlap, leave gaps or reach beyond its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>linear attention: no weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more than {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more than {most} seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no attention was seen in this model: it computed no softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no head is off (ablated), so there is no set to compare with random ones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>opening a model needs the package transformers; {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recurrent block: no weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the attention of this model cannot be followed: it is not softmax(q · k) v over all its tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the decoder of this model is not run ({why}), so {name} has no effect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the default device is meta, on which no tensor has values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the files list more than {most} weights, the most that can be opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the files of weights hold none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model's output is not finite (NaN or infinite)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model's own code does not take a text alone: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model's own code failed on this text: {why}; its folder may not belong together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model's own code fails in {dtype}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the package transformers cannot be loaded: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the painted mask is {shape}; the model has {needed} cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scores of this model are not known, so no temperature can divide them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the shape and offsets of the weight {name} do not match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text has no tokens; type at least one word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text has {count} tokens, and this model reads at most {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weight {name} holds numbers that are not finite (NaN or infinite); choose another folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weight {name} is in two files: {files}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weight {name} is {found} in the file, but {wanted} by config.json: they belong to different models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights are quantised ({how}), which this lab cannot open; use the folder in {formats}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights cannot be loaded: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights in {folder} are a pickle, which could run anything when it is read; if you trust it, transformers writes {file} instead, with the class it was made by in place of AutoModel: {remedy}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights of this model are on the meta device and have no values; load them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no folder {folder}; choose one that holds a model: {files}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no head {head}: layer {layer} of this model has no attention ({what})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no head {head}: side {side} has {layers} layers of {heads} heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no head {head}: this model has {layers} layers of {heads} heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no head {head}: this model shows no {side} side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this model is no encoder-decoder, so {name} has no effect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this model uses its attention weights in a way that rules out interventions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token {token} is not in the text, whose tokens are {first}..{last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token {token} is not in {where}, whose tokens are {first}..{last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token {token} of a patch is not in text B, which has {count} tokens and is shorter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>torch.jit compiled this model, which hides its attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transformers can make no {family} model of {folder}: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transformers has no model of the family {family}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transformers {version} has no family {family}, and code of a folder is never run{nearest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>videos</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights under a temperature have no gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} has {size}; at most {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} holds no JSON object; copy it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} is not a complete weights file: {why}; copy it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} says model_type {value}; it must name a family, such as bert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} changed while it was read; open it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} has no {file}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} has no {file}; choose the folder that holds the model itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} has no {file}; in Python, transformers writes it: {remedy}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} holds {file}: an adapter (such as LoRA) of the model {base}, not that model; choose the folder of the model, or merge both and save them: {remedy}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{index} names the file {name}; it must name files of the folder itself that end in .safetensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{index} names {count} files; it must be 1 to {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{key} in {file}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{missing} of the model's {total} weights are missing in the files, {name} first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{module} computes attention twice with the same queries and subtracts parts of the results (differential attention), so its weights are no single map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{module} computes its attention in one fused call ({function}), which gives no weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{module} makes more than one attention map in a layer, so its weights are no single map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: no weights</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/engine/model/generating</name>
    <message>
        <source>; nearest: 0 new tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: decoder_input_ids among the inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: generate=0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: one text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: the tokens without padding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chosen has token {token} at step {step}, but the model knows those below {rows} only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generate continues a text without padding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generate continues one text, input_ids of shape (1, tokens), not {shape}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this model has no head that predicts the next token, so it cannot continue a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this model reads at most {most} tokens, and the text has {tokens}, so it cannot continue with {new}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transformers refuses the values in {file}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} says eos_token_id {value}; it must be a token, or a list of tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{module} cannot continue a text: it has no generate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{module} names no token that its decoder begins with</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/engine/model/images</name>
    <message>
        <source>16 bits of grey are read as 8.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: a part of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: a smaller copy of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: an image of {wide} × {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: false</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: no image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CMYK is converted to RGB, without its colour profile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the first frame of the animation is read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder has no {file}: the defaults of the family {family} prepare the image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The image is turned upright, as its file says.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Transparent parts are white.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number from 0 to 5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number other than 0, or three</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number, or three</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a smaller image needs less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an image of {width} × {height} pixels has {count} patches; it must be 1 to {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an image of {width} × {height} pixels is too narrow to be resized by its shorter edge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot read the image {file}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>far more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>height and width, of 1 to {most} pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>height and width, or shortest_edge, of 1 to {most} pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>images are read by the families {known}, not by {family}{nearest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in a model of the family {family} a patch attends only within its window, so no row covers the image; in Python, {remedy} shows a layer, with the windows as batch items</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it must be 1 to {most} pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder makes an image of {width} × {height} pixels, but its model reads {wide} × {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the image {file} has {size} pixels; at most {side} on a side and {most} million in all are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the image {file} has {size}; at most {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the image {file} is broken: {why}; choose another one, or save it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} is no {formats} image; choose one that is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{key} in {file} is true, a step that is not known here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{key} in {file} is {value}; it must be {known}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/engine/model/residual</name>
    <message>
        <source>; nearest: another one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: the top token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {token}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its residual state runs through the modules of its layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no residual connections lead from its layers to its logits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is predicted here, so there is no logit; put a mask token, such as [MASK], into the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the heads of {name} were not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the layers of this model are not in one list, so none is followed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model {what} predicts no token at every position, so there is no lens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the output projections of its heads are not known, or shared between layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the parts of this model do not sum to its logits ({why}), so none is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the states after the layers of this model, or its head, cannot be found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the two tokens are the same, {token}, so their difference is 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no token {token}: this model's are 0..{last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>they leave a rest of {rest} of the logit {logit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this folder has no head that predicts tokens, so there is no logit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what follows its last layer is not linear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{asked}” is no token of this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{asked}” is no token of this model, which reads it as {token}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{asked}” is {count} tokens of this model ({names})</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/engine/model/sides</name>
    <message>
        <source>forced_bos_token_id is {token}, but the model knows the tokens below {rows} only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder names no decoder_start_token_id and no bos_token_id, so its decoder cannot begin; name one in generation_config.json</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder's {name} is {token}, and the model knows the tokens below {rows} only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the target has {count} tokens, and this decoder reads at most {most}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/engine/model/token_maps</name>
    <message>
        <source>in cross-attention, queries and keys are different texts, so there is no product</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no gradient reaches the weights of this model ({why})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the values or output projections of this model are not known, nor their norms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no token {token}: the model has tokens 0..{last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this model predicts no token, so there is no logit to follow</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/engine/model/tokenizer</name>
    <message>
        <source>; nearest: chat off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the chat template of this folder fails: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text has a word that this model has no token for; it knows {count}, such as {some}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tokenizer gives {token} the number {id}, but the model knows those below {rows} only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tokenizer of this folder cannot be read: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tokenizer of this folder cannot decode these tokens: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tokenizer of this folder cannot tokenize this text: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tokenizer of this folder makes {count} tokens of this text; at most {most} are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this folder has no chat template</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/engine/regression</name>
    <message>
        <source>fewer training points or queries need less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>formula '{formula}' is {value:.3g} at x = {x:.4g}; it must be a number of at most {most:g} in size there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leave-one-out needs at least 2 training points, not {points}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training diverged at step {step} (loss {loss:.4g}, w {w:.4g}); try a learning rate below {rate:g}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/engine/sweeps</name>
    <message>
        <source>; nearest: one worker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: one worker, which is this process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a worker cannot compute runs of attnviz {version}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a worker has {theirs} and this machine {ours}; the numbers of one table need the same versions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no scheduler of Dask answers at {address}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>several workers need Dask ({why}): pip install 'attnviz[cluster]'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the run repeatedly killed its worker: it needs too much memory, or it does not stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the run took longer than {limit} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scheduler has no worker now; the sweep waits for one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scheduler is gone; the same command resumes with the remaining runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the workers cannot be started: {why}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/engine/train</name>
    <message>
        <source>fewer layers, a smaller hidden size, fewer tokens or a smaller batch need less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the session's trained model predicts no finite number after step {step}: the file was modified; train it anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training diverged at step {step} (loss {loss:.4g}) after resuming from the session's model; train it anew, or with a learning rate below {rate:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training diverged at step {step} (loss {loss:.4g}); try a learning rate below {rate:g}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/experiment</name>
    <message>
        <source>, {count} not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {count} of {rows} empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest step: {nearest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: one of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: the lab {others}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {able}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long the module took, or the last step of a training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Milliseconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimiser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision (dtype) the model computes in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which experiment this is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a value cannot be read: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lab {said} must be one of {labs}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last hidden states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last hidden states and weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>logits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>logits and weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no row has a valid key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not what the model computes: {what} differ by up to {difference}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off: {heads}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>outputs and weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows sum to {sum}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run {ms} ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run {seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seed {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {said} must be one of {stages}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the lab {lab} has no arrays of single layers; leave out 'layers'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not JSON: it is nested too deep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not JSON: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without 'lab' a spec belongs to {first}, but its fields belong to {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} rows are not a number</source>
        <extracomment>one: 1 row is not a number</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{name} is given twice; only one value can count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has no {file}, so it is not a model folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} cannot be added to a run of the lab {lab}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} cannot be added to a run; it must be one of {known}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} has no number for each run of a sweep</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/attention</name>
    <message>
        <source> (head {head})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (item {item})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (item {item}, head {head})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: a file in UTF-8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: leave it out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: leave out {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: leave out {second}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: one sentence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {key_size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {num_queries}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {queries} and {keys}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {query_size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; the sink takes the rest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; {low} .. {high} after dropout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A mask_mod and a score_mod of FlexAttention from a Python file; they act beside the other masks and steps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A query may attend to earlier keys, but not to itself: was &gt;= meant?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A row with no valid key (empty row): zero gives weights of 0, book fills with -1e6 (a uniform row), inf gives NaN.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All ones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All tokens {shift} positions later: no score changes (the largest difference of {count} is {largest}), since only distances count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All tokens {shift} positions later: scores change by up to {largest} (of {count}), since positions are added to the inputs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All-ones inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chance that a weight is dropped in training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a function of the file; none acts yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns of the weights: key-value pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decides every random number of the run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divide the scores by √d, so the softmax stays soft as d grows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each clause of the mask, what is unusual about it, and the blocks that a kernel can skip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every query may attend to every key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Features of an input key; empty is the hidden size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Features of an input query; empty is the hidden size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Features of an input value; empty is the hidden size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Features {first} and {second} are turned by {q} and {k} rad: {between} rad apart.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Features {first} and {second} of their positions have angles of {q} and {k} rad: {between} rad apart.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Functions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Further masks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Given weights are read from a file, .npz or .npy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Half precision: mask and softmax in float32. Off, -1e6 is -inf in float16.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many heads share the hidden size; each gets hidden / heads features.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many heads the keys and values have, each shared by a group of heads (grouped-query attention); 1 is multi-query attention.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Identity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In self-attention a sentence attends to itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It acts in train mode only, which is off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It changes nothing: the other clauses allow all that it allows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It changes nothing: the other clauses forbid all that it forbids.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It depends on kv_idx only: every query has the same keys, as with padding.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It depends on q_idx only: it gives queries all keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It depends on q_idx only: was kv_idx meant?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is false everywhere and changes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is false everywhere, so all is masked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is true everywhere and changes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is true everywhere, so nothing is masked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key-value heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Masks without a field of their own, by name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mechanism</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No query may attend to an earlier key, only to later ones: are q_idx and kv_idx swapped?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No query may attend to any key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No query may attend to itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No query may attend to {count} keys: {rows}{where}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of items in the batch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One set of tokens serves as queries, keys and values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One-hot inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paint the mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision (dtype) the module computes in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projections of queries, keys and values have a bias.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query {query} and key {key}, at distance {distance}, have the score {score}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random embeddings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows of the weights: the queries.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows with no valid key (empty rows) under each policy, side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scaled by √d</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scores are divided by it: small is sharp, large is even.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sentences only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of the module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings that only this module has.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift the whole sentence to see what depends on where it stands.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of the projected queries, keys and values, all heads together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps applied to the scores before the mask and in the softmax.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table with a row for each distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The mask depends on kv_idx only: every query has the same keys, as with padding.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The mask depends on q_idx only: was kv_idx meant?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The {copies} heads have {count} different masks; they differ in {cells} of {all} cells.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The {copies} items have {count} different masks; they differ in {cells} of {all} cells.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens the causal module's mask buffer is made for (also called block size).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train mode: dropout acts. Off is eval mode.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upcast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Valid length {length} is not in 0..{num_kvpairs}, the number of keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Valid length {wrong} must be a whole number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What positions do to a score: over distance, in pairs of features, and after a shift of the sentence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where queries, keys and values come from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether sinusoidal positions (Vaswani et al. 2017) are added to the inputs; by default, to sentences only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which attention module computes the weights; given ones were computed by another model and come from a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a mask and a change of the scores yourself, as for FlexAttention, and see all heads follow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your arrays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a sentence attends to itself; turn self_attention on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as hidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>document_lens has a {what} of {size}, which must be at most {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>document_lens must be null or whole numbers above 0, such as 4, 3, 3, not {said}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each sentence needs a word; type at least one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>eval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>eval: dropout does nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>given weights are read from a file, and the source is '{kind}'; choose Source: File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>given, {dtype}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mechanism_knobs {said} must be an object with a number for each setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>num_kvpairs {num_kvpairs} must equal num_queries {num_queries} in self-attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>num_queries {num_queries} and num_kvpairs {num_kvpairs} in a batch of {batch_size} are not the sentences' {queries} and {keys} tokens in a batch of 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>num_queries {num_queries} in a batch of {batch_size} is not the sentence's {count} tokens in a batch of 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query_size {query_size}, key_size {key_size} and value_size {value_size} must be equal in self-attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read {ms} ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>score_steps.{name} and score_steps.{other} both make the weights of a row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>score_steps.{name} changes the vectors of a dot product, which the scores of the module {mechanism} are not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>self_attention is on, and one sentence attends to another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting the process of your functions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file {path} cannot be read: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sentence has no word; type at least one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>train: dropout on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>valid length {length} is not in 0..{num_kvpairs}, the number of keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>valid_lens has a row of {columns} lengths for {num_queries} queries; needed {num_queries}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>valid_lens has {rows} entries for a batch of {batch_size}; needed {batch_size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>valid_lens has {rows} entries; a batch has at most {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>valid_lens must be null, a list of whole numbers (one per batch item) or a list of such lists (one per query), not {said}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>value_size {value_size} must equal key_size {key_size} where keys and values are one sentence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} rows at the edge have other than {usual} keys, as with a window: {rows}{where}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} rows have keys, but not their own: {rows}{where}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} rows have no key: {rows}{where}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} rows have other than {usual} keys, unlike most: {rows}{where}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds Python functions, which the attention lab takes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds arrays, which the attention lab takes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} in float16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has more than {most} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not text that Python can read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{place}, and others in {count} further masks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} must be the name of a function in the file, or a call with literals such as sliding_window(4)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} and {second} both make the weights of a row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} changes the vectors of a dot product, which the scores of this module are not</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/fields</name>
    <message>
        <source>; nearest: {max_length}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {min_length}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Painted {axis} {position} is not in {first}..{last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share of the previous step that the next one keeps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto, cpu, mps or cuda:0; auto takes the first GPU, else the CPU.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be a whole number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be at least {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be at most {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>painted entry {said} must count queries and keys from {first}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>painted entry {said} must read 'query: keys', such as '1: 3-5 7'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>painted has more pieces than {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>painted holds {length} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>painted must be text such as '1: 3-5 7; 4-6: 2', not {said}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>painted {axis} {position} is not in {first}..{last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the whole holds {count} fields; at most {most} are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no field {name!r}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no setting {said} in {place}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no {kind} {said} in {place}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>true and false are not numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} holds a character that is not text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} holds more than {max_length} entries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} is longer than {max_length} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} must hold at least {min_length}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} needs a 'kind'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} has too many digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} must be a finite number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} must be a list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} must be a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} must be a whole number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} must be above {gt}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} must be an object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} must be an object with a 'kind'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} must be at least {ge}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} must be at most {le}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} must be auto, cpu, mps or cuda:0 (or another number)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} must be below {lt}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} must be one of {expected}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} must be text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} must be true or false</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field}: kind {tag!r} must be one of {expected_tags}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds {count} fields; at most {most} are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{place} {said} must be an object with a number for each setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{place} {said} must be an object with a {kind}'s name for each</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/files</name>
    <message>
        <source>; 'attnviz presets' lists them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: 1.0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: mask.astype(bool)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: np.savez_compressed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: weights.astype('{nearest}')</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {k}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {name}.astype('float32')</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {name}.astype(str)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {needed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {of_keys}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a session is a JSON object, {{...}}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a spec is a JSON object, {{...}}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a view of the lab '{lab}' cannot be beside a spec of '{other}'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>format {said} is of a newer attnviz, this one reads up to {most}; a newer attnviz opens it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>format {said} must be the number of a session format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in trained: {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in {place}: {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its list of arrays is missing, or longer than {most} MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask has shape {shape}, which does not spread over weights of shape {needed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask holds {dtype}, not booleans (True = may attend)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>notes holds a character that is not text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>notes {said} must be text of at most {most} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>origin {said} must be the path of a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q and k make the scores together; give both, or neither</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q has {q} features and k has {k}: they have no product</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale must be one finite number that is not 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header of {name} is longer than {most} bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the session holds no 'spec'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the trained model in it is of another spec and was left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no field {name} in a session{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no preset {said}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not JSON: a number has too many digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not JSON: it is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not JSON: {why}; the file seems to be cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not the spec of a lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not the trained model of a lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trained.spec must be a spec of a lab that trains a model: {those}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>v has {of_values} heads and k has {of_keys}, but keys and values must have the same number of heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warning must be one text of at most {most} characters, not {dtype} of shape {shape}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights has shape {shape}; needed (queries, keys), (heads, queries, keys) or (batch, heads, queries, keys), none of them 0{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights has {size} {axis}; at most {most} can be shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights holds {dtype}, not half, single or double floats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights holds {dtype}, not numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights[{place}] is {value:.6g}, and a weight is in 0..1 (scores become weights by a softmax)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} announces {size} bytes, but {rest} follow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} cannot be read: no data has arrived yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has arrays of more than {most} MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has shape {shape}, which does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has shape {shape}, which no array can have</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has shape {shape}; needed ({count},), a token for each row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has {entries} entries for {count} {axis}; needed {count}, one for each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds a character that is not text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds pickled objects, which are never read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds {dtype}, not floats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds {dtype}, not text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is a structured array; plain numbers are needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is compressed in a way that numpy never uses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not a text file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} occurs twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} takes {size} MiB; at most {most} MiB of tokens are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} {start}... has {count} characters; at most {most} are shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{place} holds a spec, and 'pinned' is of that lab too; only one can count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{place} is a spec of the lab {lab}, which compares no runs; labs that do: {labs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{place} {said} must be a spec of the lab {lab}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{place} {said} must be an object of 'spec' and 'step'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{place} {said} must be an object, {{...}}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{place}.step {said} must be a whole number from 0 to {steps}, its steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} is no active field of preset {name}{near}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/layers</name>
    <message>
        <source>; nearest: 1.1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A has given weights only, without scores, so there is no B − A.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A has no {numbers}, so there is no B − A.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A has {a} batch items and B has {b}: item {wanted} is not in both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A has {a} heads and B has {b}: head {wanted} is not in both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A has {a} keys and B has {b}: columns do not match, so there is no B − A.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A has {a} queries and B has {b}: rows do not match, so there is no B − A.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every step of the mechanism</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Features {first} and {second} of {query} at position {place} are turned by {angle} rad, of {key} at position {other} by {turned} rad: the distance is {distance}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Given arrays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head {head} is off: its output is 0 for every token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head {head} is off: its output is its mean over the tokens, for every token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Masked keys get {masked}: the fill, {fill}, is not far below the other scores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No mask is on: {query} may attend to {allowed} of {keys}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin a run as A and compare later runs as B</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The masks differ in {count} of {all} cells (query: keys): {cells}.</source>
        <extracomment>one: The masks differ in one of {all} cells (query: keys): {cells}.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>The output of head {head} for {query} is replaced by that of another run (patched).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The row of {query} has the {numbers} of {heads}: head {head} fills {first} to {last}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sink takes {sink}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The {features} of {name} are divided among {heads}: head {head} takes {first} to {last}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The {name} of {key} is {score}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights as lines from each query to the keys it attends to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dropout {rate} keeps the weight that {query} gives {key}: {before} × {factor} = {after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dropout {rate} sets the weight that {query} gives {key}, {before}, to 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dropout {rate} sets {dropped} of {weights} of {query} to 0; the rest, × {factor}, sum to {total}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>features {first} and {second} of {query} at position {place} turn by {angle} rad in head {head}: {x_1} and {x_2} become {y_1} and {y_2}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head {head} pools no value for {query}: {numbers}, all 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>head {head} pools {count} values for {query} into {numbers}, {key} with weight {share}.</source>
        <extracomment>one: head {head} pools one value for {query} into {numbers}, {key} with weight {share}.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key head {head} of {count}, shared by heads {first} to {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is projected; queries and keys of {numbers} are compared as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is projected; queries of {numbers} and keys of {of_key} are compared through {layer}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>softmax(q · k × scale) differs from the given weights by up to {apart} of a row's largest: the stages before the weights are left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the output of {query} is not finite (NaN or infinite).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the {kinds} are taken as they are, {given} each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no head {said} in {where}: layers and heads count from 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what head {head} pools for {query} is not finite (NaN or infinite).</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} features</source>
        <extracomment>one: {count} feature</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message numerus="yes">
        <source>{count} keys</source>
        <extracomment>one: {count} key</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} numbers</source>
        <extracomment>one: {count} number</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message numerus="yes">
        <source>{count} weights</source>
        <extracomment>one: {count} weight</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message numerus="yes">
        <source>{count} {name} features</source>
        <extracomment>one: {count} {name} feature</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{fill} replaces the {name} that {query} gives {key}, {score}: {why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{layer} projects the {given} of {name} to its {kind} of {made}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{layer} projects the {merged} of {query} to its output: {numbers}, from {low} to {high}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{query} and {key} have {features}, from {low} to {high}; {factors} weighs and sums them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{query} attends to no key: its {count} weights are all 0.</source>
        <extracomment>one: {query} attends to no key: its one weight is 0.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{query} gives {key} the score {score}, number {rank} of {keys}: {how}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{query} gives {key} the weight {weight}, number {rank} of {keys}; they sum to {total}, not to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{query} gives {share} of its attention to each of {ties} keys, {key} among them, the most of its {keys}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{query} gives {share} of its attention to {key}, number {rank} of its {keys} keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{query} gives {share} of its attention to {key}, which is masked ({why}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{query} gives {share} of its attention to {key}: its {name}, {score}, is the largest of {keys}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{query} gives {share} of its attention to {key}: its {name}, {score}, ranks number {rank} of {keys}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{query} has NaN (not a number) as {wrong} of its {count} weights.</source>
        <extracomment>one: {query} has NaN (not a number) as its one weight.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{query} in head {head}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{query} may attend to no key: its weights are 0, whatever the policy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{query} may attend to no key: the sink takes all of its weight.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{query} may attend to no key: with a fill of {fill}, each of its {count} keys gets the weight {weight}.</source>
        <extracomment>one: {query} may attend to no key: with a fill of {fill}, its one key gets the weight {weight}.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{query} may attend to one key alone: {key} gets {share} of its attention.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{query} may attend to {allowed} of {keys}; no mask forbids any ({masks}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{query} may attend to {allowed} of {keys}; {count} scores become {fill} ({why}).</source>
        <extracomment>one: {query} may attend to {allowed} of {keys}; the score of {key} becomes {fill} ({why}).</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{query} may attend to {key}: the mask keeps its {name}, {score}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{query} pools no value: its output is {numbers}, all 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{query} pools {count} values, {key} with weight {share}: {numbers}, from {low} to {high}.</source>
        <extracomment>one: {query} pools one value, {key} with weight {share}: {numbers}, from {low} to {high}.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{query} spreads its attention evenly over its {keys} keys, {share} each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows} and {further} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} in {where} must name a head as layer.head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{sentence} Here: {shared}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{wrong} of the {count} scores of {query} did not stay finite in {dtype} (infinite or NaN).</source>
        <extracomment>one: the one score of {query} did not stay finite in {dtype} (infinite or NaN).</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/lessons</name>
    <message>
        <source>; nearest: # Masked softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: ## for a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: ###</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: .2f</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: 0.05</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: 2 choices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: add the view on screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: all(...)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: choose one from Insert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: do the task in the window, then use the screen as the solution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: more digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {there}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {{{{ for a brace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a block is a JSON object, {{...}}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a brace is left open in {said}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a choice must be one paragraph, without a heading, a list or a block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a choice needs a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a lesson begins with its title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a lesson has 1 to {most} steps, not {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a lesson has headings of three levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a lesson has one title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a lesson needs a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a list in the question would be read as its choices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a look at a key needs its query too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a look is at a head, query and key, or at a stage, or at a control</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a part is one of {parts}, not {said}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a prediction has 'choices', or a 'number', or 'cells'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a question needs a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a question needs at least two choices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a reason must be paragraphs, without a heading, a list or a block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a step has one block, and this is its second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a task needs a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a text must have no heading, no block and nothing left open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an expression is needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an operation would produce {count} numbers; the limit is {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cells that the mask leaves open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cells with a weight above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choice {letter}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>condition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key with the largest weight of query {query}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest weight of query {query}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line}: {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no choice is marked as the right one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no solution yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of keys that query {query} attends to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one choice does not make a question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>score of query {query} and key {key}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>solution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {number}, {field}: {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {number}: the text of its part {name} would be read as something else</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text once it is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the part {part} is in the text and in the block, or in neither</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the part {said} is before the first step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same as choice {letter}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the solution does not complete the task: {said} is not true after it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the step has two parts {said}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the task is already done when the step opens: {said} is true</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text has {there} choices and the block {asked}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no function {said}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no lesson {said}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no {name} here{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tolerance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight of query {query} on key {key}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} of the choices are right, not one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} takes at most {most} arguments, not {given}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} has no value here: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} has several values; a text can show only one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} has {length} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} is not a matrix of true and false with at most {most} cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} is not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} is not a number format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} is not an expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} is true in some places and not in others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} must be a number of at least 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{sum} is {value} as it is printed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/model</name>
    <message>
        <source>1 − cosine of the output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: no chosen tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: no patch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {{}}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A Hugging Face folder on this machine, with config.json, tokenizer.json and *.safetensors. Nothing is loaded from the network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A PNG or JPEG file, which a vision transformer or the image side of CLIP or SigLIP reads instead of the text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A patch takes the output of a head from text B, but an image is read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A patch takes the output of a head from text B, which is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A second text, to compare with and to patch from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activation patching: outputs of heads at a token, taken from text B at the same position.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add those that the tokenizer puts around a text, such as [CLS].</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After {token}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At “{token}” the model predicts “{name}” ({share}); it is first from layer {layer} on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At “{token}” “{name}” ends at rank {rank} ({share}); its best is {best}, after layer {layer}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attribution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attribution by head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beside random heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both have {count} tokens; those after are hatched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cells forbidden by hand, of a head or of a layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose token {token} as new token {step}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cosine of the last hidden states with and without the interventions, mean over the tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cross</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cross-attention: what each written token attends to in the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decides the sampled tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divides the logits: small is nearly the most probable token, large is nearly any.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each head turned off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each token is drawn; beams are not searched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each token is the most probable one; beams are not searched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty text B, and take the patch of {heads} back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Entropy by norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every head of every layer, one number each, and the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generated text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generated: “{text}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head {name} is off and adds its mean, though {query} gives {share} to {key}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head {name} is off and adds nothing, though {query} gives {share} to {key}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads are turned off one at a time, so heads that stand in for each other seem to do nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads to turn off (ablate), as layer.head.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How a token is drawn: the logits are divided by the sampling temperature, then the most probable tokens kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much a head writes: each weight times the norm of its value after the output projection (Kobayashi et al. 2020)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How spread out the rows are, in bits, with each weight multiplied by the norm of its value after the output projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In place of {token}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interventions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It compares with heads of the same layers only, turned off in the same way, on this one text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It reads each layer's state as if no layer followed; later layers may still turn it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers now have the model's own numbers: layer {layer} was called layer {former} when this file was saved, so the heads that the file names may be different ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the model choose new token {step} again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logit lens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lost by ablation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most probable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New token: {a} → {b}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off means</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On sinks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output, cosine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pieces of a word are joined: the sum over keys, the mean over queries.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probability of the top prediction at the position shown; none where nothing is predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read another text, without the interventions on tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sampling temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Self-attention of the decoder, over the tokens that it writes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Self-attention of the encoder, which reads the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of the folder change the logits: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of the folder without effect here: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the weight on the first token and on special tokens (attention sinks), where a head with nothing to do parks its attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Special tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Special tokens are left out: rows no longer sum to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first pass reads the text, and the cache keeps keys and values of it: {size} in {count} layers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first token that differs is token {place}: “{a}” in A, “{b}” in B.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The first {count} tokens of both texts are the same; those after are hatched.</source>
        <extracomment>one: The first token of both texts is the same; those after are hatched.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The folder names no end token, so {count} tokens are generated.</source>
        <extracomment>one: The folder names no end token, so one token is generated.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>The heads are measured over the first {count} tokens until the text is complete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last row is the model's prediction: max difference {rest}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The logit lens: what the state after each layer would predict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The logit of the top prediction, before a soft cap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model says “{class}” ({share}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model says “{class}” ({share}); without interventions it says “{before}” ({was}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The most probable tokens with at least this probability together are drawn from; 1: all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The most tokens that the model continues the text with; 0: it only reads the text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The next token: the most probable one at each step, or drawn by its probability. Beams are not searched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of most probable tokens that are drawn from; 0: all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of tokens that the model continued the text with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pass for “{token}” reads the keys of the text, made once by the encoder: {size} in {count} layers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pass for “{token}” reads {old} old keys in a layer and adds its own: {size} in {count} layers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The probability that the top prediction loses without a head; without a prediction, 1 − cosine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The roles that a head stands out in, first the one that it is named after; empty for none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scores of all heads are divided by it: small is sharp, large is even.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text of the tokens that the model continued with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text that the model reads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The texts begin with different tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The token that an encoder-decoder begins its answer with, such as the language it translates into.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model keeps no keys and values: each pass computes the whole text again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This number compares places within one text. In cross-attention, queries and keys are tokens of different texts, so there is none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Those that you chose take the place of the model's.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens that no token may attend to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens that you chose in place of the model's.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top probability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turning the chosen heads off costs {chosen}; all {all} other sets of as many heads in the same layers cost {low} to {high} (median {median}). {count} of them cost at least as much.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turning the chosen heads off costs {chosen}; {all} random sets of as many heads in the same layers cost {low} to {high} (median {median}, seed {seed}). {count} of them cost at least as much: of all such sets at most {most} do (95 % confidence).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weighted by norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a head adds to the logit of the top prediction (direct logit attribution)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What an ablated head outputs: zeros, or its mean over the tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What an encoder-decoder has written so far; it goes on from there. Empty: it writes by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the weights of all layers add up to, from each token to each other one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrap the text as a user's turn with the folder's chat template, as chat models expect it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the folder says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by chance {chance}; in {agreeing} of {count} rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chosen has a token for step {step}, but generate is 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chosen has a token for step {step}, but {count} are generated, steps 0..{last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chosen {said} must be an object with a token for each step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>encoder {layers} layers × {heads} heads, decoder {decoder} layers × {there} heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>feature {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>features {first} and {second}, a turn in {tokens} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>folder is empty; choose a folder with a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generate is {count}, but an image is read, which no token continues</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head {name} has no clear role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head {name} {does} ({score}, {sure})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>image prepared by default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the model </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the text, without the new tokens:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in {agreeing} of {count} rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>in {count} layers only the weights are known</source>
        <extracomment>one: in 1 layer only these are known</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>last states, cosine {cosine}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer {layer} has no attention ({what})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer {layer} must be in 1..{last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>most changed: “{token}”, cosine {cosine}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>new token {count} of {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>patch takes the output of a head from text_b, but an image is read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>patch takes the output of a head from text_b, which is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probability lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>roles compare places within one text, so head {name} has none here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sampled at {temperature}, top k {k}, top p {p}, seed {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>they act in every pass, from “{token}” ({number}) on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights that move most: {heads}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without interventions, {found}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} chosen new tokens: {tokens}</source>
        <extracomment>one: chosen new token: {tokens}</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{count} of the {all} other heads of its layer cost at least as much ({low} to {high})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{dtype} file, {size} MB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kv} key-value heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kv} to {most} key-value heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{layers} layers ({attending} with attention) × {heads} heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{layers} layers × {heads} heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{role}; {query} gives {share} to {key}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} in chosen must be a step, counted from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} in chosen, at step {step}, must be the number of a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{there} the model predicts “{token}” ({share}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{there} the model predicts “{token}” ({share}); without interventions it predicts “{before}” ({was}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{token} no longer counts as a special token, because the tokenizer does not add it around a text: roles and the text without special tokens may differ from those shown when this file was saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} differ from the model's own by at most {difference}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} equal the model's own: max difference 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“Weighted by norm” now counts the weights beside learned sinks as they are, and the other measures divide every row by its sum: they may differ from those shown when this file was saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{token}” ends the text.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/model/interventions</name>
    <message>
        <source>; nearest: one text with all its cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Hide tokens {tokens}</source>
        <extracomment>one: Hide token {tokens}</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>Paint the mask of {heads}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patch {heads} from text B</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Show tokens {tokens} again</source>
        <extracomment>one: Show token {tokens} again</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>Take the mask of {heads} back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the patch of {heads} back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Turn heads {heads} off</source>
        <extracomment>one: Turn head {heads} off</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Turn heads {heads} on again</source>
        <extracomment>one: Turn head {heads} on again</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>hidden: {tokens}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off, as their mean: {heads}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>painted names {said} twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>painted {said} must be an object with a text for each head or layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>painted: {heads}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>patched: {heads}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>temperature {temperature}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{said} in painted must name a head or a layer, such as 3.4 or 3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/model/residual</name>
    <message>
        <source>Attribution and ablation agree on every head.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each norm's scale is held fixed, and how later parts respond to a head is not counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head {head} adds {adds}, but without it the logit changes by {lost} only: later parts, and norms that rescale, make up for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head {head} adds {adds}, but without it the logit changes by {lost}: later parts depend on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logit of {token} {logit}: {parts} (rest {rest}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MLPs {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>added to the logit of {token}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>biases {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cross heads {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decoder heads {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>embedding {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heads {value}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/model/token_maps</name>
    <message>
        <source>A learned sink takes a part of each row of weights, so that rows sum to less than 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A learned sink takes a part of each row of weights. It is no token, so each row is divided by its sum.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source: {source}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The logit is that of “{token}”, predicted at “{position}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The logit is that of “{token}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layers {first} to {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} layers without attention are left out.</source>
        <extracomment>one: One layer without attention is left out.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>“{query}”: {own} on itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{query}”: {own} on itself; of the others “{key}” has most: {number}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/regression</name>
    <message>
        <source> (truth {value})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 / |w| of each head after the last step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; '{cell}' has thousands separators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; '{cell}' is a missing number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; it has {count} columns, and points have two: remove the others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: a table saved as CSV UTF-8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: gaussian</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: without this line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {nearest:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {nearest} of each</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>; nor are at least {count} more</source>
        <extracomment>one: ; nor is at least 1 more</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message numerus="yes">
        <source>; nor are {count} more</source>
        <extracomment>one: ; nor is 1 more</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>Add a point</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>After {count} steps {now}; the loss before the last step was {loss}.</source>
        <extracomment>one: After {count} step {now}; the loss before it was {loss}.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>Average</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before the first step {now}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beyond the textbook: several heads, each with a w of its own, averaged by shares that are learned too; the bridge to multi-head attention.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decides the first w where it is drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete a point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End {stop:g} must be above start {start:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error to the truth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every kernel at four widths: fits and weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extension</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First value of w = 1/width (times 1, 2, ... for several heads); off draws it from [0, 1).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Formula</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Further estimators on the same points; their curves are drawn beside this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far a query looks; narrow copies the noise, wide smooths everything.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the errors depend on the width, and where they are least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the gradients move the widths: all by one step size, or each by its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How weight falls with distance.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned w</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave one out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave-one-out error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss and width over the steps of the training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean squared error of the curve against the function without noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move a point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Points</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Query x = {x} is {distance} from the nearest of {count} training points, {point}, and {far} from the farthest.</source>
        <extracomment>one: Query x = {x} is {distance} from the one training point, {point}.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>Query x = {x} minus the training point {point} is {difference}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spacing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spacing {step:g} makes more than {most} queries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start w</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step size of the gradient descent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Synthetic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Textbook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The curve, its weights and its training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sum of squared errors before the last step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The w of each head after the last step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training steps; each sees all points.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Untrained: random w, seed {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Untrained: w starts at {w}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights of a query with no training point in reach: all 0, all equal (as after a fill of -1e6), or NaN. The curve has a gap there in any case.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the curve is predicted: start, stop, step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the training points come from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>While training, a point is not among its own keys, so that it cannot copy itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width σ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at x = {x}, {the_point} has the height {height}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at x = {x}, {the_point} has u = {u} and the height {height}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>average: all equal. nonparametric: a kernel of fixed width. parametric: the width is learned.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>before training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose a CSV file with two columns, x and y</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>differences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>f({x}) = {y}{truth}; {point} adds {part}, the largest part of {points}: {share} of y = {output}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>f({x}) = {y}{truth}; {point} adds {part}: {share} of y = {output}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>f({x}) is not finite (NaN or infinite): the training diverged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kernel '{kernel}' cannot have a learned width here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line}: '{said}' is not two finite numbers{others}{remedy}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no training point is in reach of x = {x}, so the curve has a gap there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>no training point is in reach of x = {x}: the policy {policy} predicts {y}{truth}, the mean of all {count} outputs.</source>
        <extracomment>one: no training point is in reach of x = {x}: the policy {policy} predicts {y}{truth}, the one output.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>overlays {first} and {second} are the same curve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>points need as many y as x, and at least one; got {xs} x and {ys} y</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pooling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query x = {x} gives {share} of its attention to each of {ties} points of {count}, {point} among them, the most.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query x = {x} gives {share} of its attention to {point}, number {rank} of {points}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query x = {x} spreads its attention evenly over {reached} of {points}, {share} each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>random start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before the overlays were there</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the average has no kernel: each of the {count} training points has the height 1.</source>
        <extracomment>one: the average has no kernel: the one training point has the height 1.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>the nearest point, {point},</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the only point cannot be removed; at least 1 is needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the point {point}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the w of {heads} heads are from {low} to {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the {count} weights of x = {x} are NaN (not a number): the training diverged.</source>
        <extracomment>one: the one weight of x = {x} is NaN (not a number): the training diverged.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>the {kernel} of width {width} at x = {x} reaches {reached} of {points}; {the_point} has the height {height}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are {count} points already; at most {most} are possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>w is {w}, the kernel's width {width}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>x = {x}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>x = {x} (point {number})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>x_test step {step} makes more than {most} queries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>x_test stop {stop} must be above start {start}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} points</source>
        <extracomment>one: {count} point</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{name} holds points, which the kernel-regression lab takes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} {value:g} must be a finite number, at most {most:g} in size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} {value} of point {place} must be a finite number, at most {most} in size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not a CSV text file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} holds more than {most} points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} holds no points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} is larger than {limit} MiB, which {points} points never are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text}, line {line}: '{said}' is not two finite numbers{others}{remedy}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{when}, average of {heads} heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{when}, head {head}, w = {w}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{when}, w = {w}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/sweeps</name>
    <message>
        <source>; nearest {field}: {nearest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: 0:{last:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: a spec of another mechanism</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: all its values in one list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: its lines before line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: true</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {example}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {name}({nearest})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {nearest} each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run has finished yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run has succeeded yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be read: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has more than {count} values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no line with a value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its first row has no names of columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its lines have the fields {listing}, and none is named</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer {layer}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line} has {cells} cells, and the header has {header}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line} is longer than {most} MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line} is not CSV: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line} is not UTF-8 text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line} is not a JSON object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line}: field {field} must be a text, a number, true or false, not {said}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no field is swept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no run of the sweep is legal; {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no value of {field}={wanted} is legal; {why}{nearest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paired fields must have the same number of values, not {said}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sweep {said} must read FIELD=FIRST:LAST, FIELD=FIRST:LAST:STEP or FIELD=V1,V2,V3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the colour of a head is by role or by layer, not {name}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the row that begins at line {line} is larger than {most} MiB: is a quotation mark open?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sweep has {count} runs, and must have at most {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the values before line {line} are {count}, and no more than {most} MiB are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no field {said} beside {part}.kind '{kind}'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no field {said} in this spec</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no {column} among {listing}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>these runs have no measure with a number per head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} columns are named {column}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} runs</source>
        <extracomment>one: 1 run</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{field} cannot be swept: given weights are shown as they are, with no setting to sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} changes nothing beside the other fields of this spec</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} has no value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} is not a number that can be swept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} is not a number, name or text that can be swept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} is swept twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field}: count {count} must be from 1 to {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field}: step {step} from {first} to {last} makes more than {most} frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field}: step {step} must be above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field}: this step makes more than {most} values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field}: value {said} must be true or false</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field}: value {said} must be {kind}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field}: {count} values are more than {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field}: {end} in {name}(...) must be above 0, since the values are spaced logarithmically</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field}: {first:g} and {last:g} are too far apart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field}: {name} {said} must be a finite number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field}: {name} {said} must be a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field}: {name} {said} must be a whole number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field}: {said} must read {name}(FIRST, LAST, COUNT)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{heads} heads: means over {count} runs, with bars of one standard deviation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{lengths} = {count} runs</source>
        <extracomment>one: 1 run</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{measure} by {knob}: {listed}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{measure}, median by {knob}: never ({never}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{measure}, median by {knob}: {listed}, never ({never}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{measure}, median by {knob}: {listed}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{measure}: from {least} at {where} to {most} at {there}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{measure}: never.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{measure}: no finished run has this measure.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is no measure with a number per head{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{role} in {count} of {of} runs (95 % interval {low} to {high} %)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} {mean} (1 run)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} {mean} ± {spread} ({count} runs)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}: none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{x} and {y} are of different heads</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/texts</name>
    <message>
        <source>'{code}' is not a language of attnviz ({languages}){near}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/train</name>
    <message>
        <source>; nearest: {follows}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {nearest} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A has {a} and B has {b}: layer {wanted} is not in both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A shows {a} and B shows {b}: cells do not match, so there is no B − A.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A two-layer network after the attention of each layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>After {count} steps</source>
        <extracomment>one: After {count} step</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>After {query}: {expected}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes of the learning rate during training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing: {done} of {count} heads were turned off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing: {done} of {count} roles and pairs of heads were turned off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decides the first parameters and every batch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Effect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every head is off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every step of the attention of one layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head {head} changes most where token {query} attends to {key}: {a} in run A, {b} in run B.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head {head} has the same weights in A and B.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads to turn off (ablate) in the picture, as layer.head; training is unaffected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many heads each layer has.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many steps are trained.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How strongly the parameters shrink.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the gradients move the parameters: all by one step size, or each by its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the model knows the positions of its tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer norm before each attention layer and before the prediction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate {rate} from step {step} on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss, accuracy and the roles of all heads, over the steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next the model predicts “{token}” ({share}), which is right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next the model predicts “{token}” ({share}); the right token is “{answer}”, with {other}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next the model predicts “{token}” ({share}); what follows cannot be known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No change of the learning rate from step {step} on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No head is needed: without any one of them accuracy stays at {now} or rises.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of attention layers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Role: {role}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequences in each step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the positions of that batch at which the top prediction was right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of the residual stream; each head has hidden / heads features.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step size of the optimiser, from the start; while a training is shown, a new learning rate acts from the step on screen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps over which the learning rate grows from 0 to its value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps to 95 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps to {role}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps until a head first has this role; infinite if none has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first step with an accuracy of 95 %; infinite if there is none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The largest norm of a gradient; larger ones are clipped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last one acts beyond the last step: raise Steps, or begin a new training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The mean cross-entropy of the last step's batch, before that step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model continues a text, token by token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model reads {tokens}: {query} is number {number} of {vocabulary} there are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The output layer shares the weights of the token embedding.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The picture shows step {step}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The picture shows the study of the model before: {layers} × {heads} heads, step {step}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sequence shown: tokens separated by blanks, or the characters of a text, where a blank is a token too. Empty is the task's own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share of the sequences held out of training, to test on; of a text its end, of sums both orders of a pair.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The task has {follows} different tokens, not {vocab_size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text to learn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The training, every head, and what the model predicts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no other head that is on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tied embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token {place} is “{a}” in A and “{b}” in B: cells do not match, so there is no B − A.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two steps, two seeds, or heads on and off, side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Untrained: accuracy is {now}, and no head changes it by more than {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What each head attends to, and how much it is needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the model learns to continue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With {held_out} no sequence of the task is held out, or every one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without both {pair} the loss changes by {both}; without each alone, added, by {apart}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without {head} accuracy falls by only {lost} percentage points, from {now}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without {head} accuracy falls from {now} to {then}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without {head} it does not fall.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without {head} it falls by only {lost} percentage points.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a probe of {count} tokens must have 1 to {num_tokens}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>curves to step {step} from the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every head {does}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head {name} has no role; {query} gives {share} of its attention to {key}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head {name} is off and adds nothing, though {query} gives {share} to {key}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head {name} {does} ({score}, in every sequence at least {lowest}); {query} gives {share} to {key}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>heads {heads}</source>
        <extracomment>one: head {heads}</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>no head has a role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>role_distances holds a number that is no distance of {tokens} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>role_names {said} must be a list of at most {most} names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {ms} ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {step}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {step}, {heads} off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>steps {said} must end with {last}, the steps of its spec</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the steps of changes, {steps}, must be increasing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the trained model takes {size} MiB, and a session carries at most {most} MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no field {name}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no head {said} in heads_off; the last one is {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token {place} of the {where}, {said}, is not among the {count} that the model knows: {known}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>values would take {size} MiB, and at most {most} MiB are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vocab_size {vocab_size} must be {follows}, the tokens of the task '{kind}'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with held_out {held_out} no sequence of the task is held out, or every one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{before} → {after}; each alone at most {alone}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{before} → {after}; each alone at most {alone}, two at most {two}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} heads have another role or none</source>
        <extracomment>one: 1 head has another role</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message numerus="yes">
        <source>{count} heads have no role</source>
        <extracomment>one: 1 head has no role</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{count} held-out sequences</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} layers</source>
        <extracomment>one: {count} layer</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{count} newly drawn sequences (some may have occurred in training)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} newly drawn sequences, some of which occurred in training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{first}, then {rest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{head} (no clear role)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{head} is off. What is lost without it is not measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{head}. Without it: accuracy {accuracy}, loss {loss}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{help} The score, from 0 to 1; that of all heads is the highest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} cannot be unpacked: it is not zlib data in base64, or is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds a number that is not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds a number that is not from 0 to 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is empty: choose a file with a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is longer than {size} bytes can be, which its spec has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not UTF-8 text (byte {place}); save it as UTF-8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is too long: at most {most} characters are learned; save a part of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} moves each parameter by about the learning rate per step: above {rate} it rarely learns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} must be increasing whole numbers from {least} to {greatest}, not {said}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} must unpack to {size} bytes, which its spec has; it is cut or too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} {said} must be a list of at most {most} steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} {said} must be text in base64</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{origin}: numbers at {query} are too large for {dtype}: there is no prediction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{query} becomes {hiddens} learned numbers, from {low} to {high}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{role} off: accuracy {numbers}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{role}: any one of {count} heads can be off (at most {alone}), but not all ({after}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{why} The training goes on: in the task's own sequence they are not.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/export</name>
    <message>
        <source>; nearest: a copy on this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {pages}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an unterminated string</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>new token {count} of {most}: “{token}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>standard input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {step} of {steps}: loss before it {loss}, w {w}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {step} of {steps}: loss {loss}, accuracy {accuracy} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {step} of {steps}: untrained, w {w}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the page {page} has no figure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the page {page} shows a study of its own, which has no figure here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the session in {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the spec in {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not an SVG document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} characters have no glyph on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} {said} is on another machine, which attnviz does not contact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is a picture without an attnviz session, or is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} {number} must be in {low}..{high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} {said} must be one of {choices}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows} rows, about {size} MB</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/export/animation</name>
    <message>
        <source>; nearest: the preset kernel-learned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame height in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame width in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames per second of an animation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minimum seconds that the last frame is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the animation repeats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frames per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stage {place} of {count}: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no frame to show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this spec trains nothing, so there are no steps to show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{frames} frames must be in 2..{most}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/export/code</name>
    <message>
        <source>the lab {lab} has no FlexAttention code</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/export/code/attention</name>
    <message>
        <source>; nearest: train mode off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropout has no form in FlexAttention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Given weights have no form in FlexAttention: nothing is computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{module} has no form in FlexAttention, whose scores are dot products of queries and keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{step} has no form in FlexAttention, which has a softmax</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/export/figures</name>
    <message>
        <source>1: head 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: head 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {nearest}, or choose some of the heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours of weights: viridis, cividis, CET-CBL1 or Reds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contrast by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Height of the page in cm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How colours are stretched, with contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No background</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pixels per inch of a PNG, 30 to 1200</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sharpness (dpi)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Transparent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether colours end at the largest weight instead of 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which head of a transformer is large, as layer.head, counted from 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which heads, counted from 1, and in this order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which item of the batch, counted from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which number of each head the overview of a model shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which page of the lab the figure is of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which palette</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which stage, such as scores or split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of a figure in cm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a higher page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a page of {width:.3g} × {height:.3g} cm has no room for stage {stage!r} of {count} heads; a larger one has, or choose some of the heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a page of {width_cm:.3g}{height} cm has no room for {count} heads of such tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a page {wide:g} cm wide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a sink takes
the rest of 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all, or such as 1,3-4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each pixel: the largest of {rows} × {columns} cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head '{text}' must be layer.head, counted from 1, such as 2.1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head {value} must be in {first}..{last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heads '{text}' must be counted from 1, such as 1,3 or 2-4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heads '{text}...' must be at most {most} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>item {value} must be in {first}..{last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>mean and standard deviation over {count} runs</source>
        <extracomment>one: 1 run</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>no head is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no head is large in the lab {lab}, which has no layers; leave out 'large'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no head {head}; the last one is {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no overview {said} in the lab {lab}, only {names}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no overview {said} in the lab {lab}{near}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} heads on a page {width:.3g} cm wide make it {height:.0f} cm high, and nothing opens more than {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{dpi:g} pixels per inch must be in 1..{most} for a page of {width:.3g} × {height:.3g} cm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{heads} of the heads (--heads 1-{heads})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} of head {head}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>× dropped</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/export/figures/attention</name>
    <message>
        <source>features {first} and {second}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head {head}, query {query}, key {key}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shifted by {shift}: largest difference {largest}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/export/figures/model</name>
    <message>
        <source>; nearest: a width of 8 and a height of {height:.3g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: overview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logit lens: the top token after each layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a page of {width:.3g} cm has no room for the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a page of {width:.3g} cm has no room for {rows} layers × {columns} tokens; a larger one has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a page of {width:.3g} cm has no room for {rows} × {columns} heads and one of them large; a larger one has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a page of {width:.3g} cm has no room for {rows} × {columns} heads; a larger one has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head {name} · “{query}” looks at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer {layer} has no stage {stage}; it has {stages}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no head of layer {layer} can be large: it has no attention ({what})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the page image is of a run that reads an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{map} · “{query}” draws on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/export/figures/regression</name>
    <message>
        <source>K(u), the kernel's height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a page of {width:.3g} × {height:.3g} cm has no room for the fit and the matrices; a larger one has, or choose some of the heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>average</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keys: training points (x)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>learned width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>learned, w = {w:.3g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>queries (x)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight, up to the largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kernel}, σ = {width}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/export/figures/train</name>
    <message>
        <source>a page of {width_cm:.3g}{height} cm has no room for the curves and {rows} × {columns} heads; a larger one has, or choose some of the heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accuracy {share} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heads off: {heads}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss / {divisor}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss {loss}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{numbers} in layer {layer}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/export/lessons</name>
    <message>
        <source>Answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cells that differ: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>item {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query {query}, key {key}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the formula {latex} cannot be set: {why}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/export/tables</name>
    <message>
        <source>it holds another sweep: its spec, --over or version differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not the table of a sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row {number} has a run number that this sweep does not have</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row {number} is not a row of a sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} exists, and {why}; --force starts over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} exists, but is not the table of this sweep (spec, --over, version); --force starts over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is being written by another sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was changed by another program while the sweep wrote it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was removed or replaced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was removed or replaced while the sweep wrote it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was removed or replaced while the sweep wrote it, and its rows are lost: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was removed or replaced while the sweep wrote it; its {rows} rows are in {rescued}; rename that to resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: Parquet needs pyarrow: pip install 'attnviz[cluster]'</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/export/train</name>
    <message>
        <source>; nearest: layer norm on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no known family of models has positions '{positions}' and is otherwise the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no known family of models is without layer norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} exists and is not empty</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui</name>
    <message>
        <source>Anywhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>B, this run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click, Drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click, Left, Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click, Up, Down, Left, Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours of weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold a token's row in every view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold the next cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys and gestures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lecturer's desk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left, Right, Home, End</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lessons ({0})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading PyTorch ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Manual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not opened: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not saved: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not saved: {0} was changed by another window or program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play the stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query, key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving {0} ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show everything again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something went wrong: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tab, Shift+Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up, Down, Left, Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights of the chosen head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the heads do</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after dropout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and {0} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>item {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>may attend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not run yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query {query}, key {key}: {told}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the process ended with code {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} cannot be displayed: no font has its characters. Install one, such as Noto Sans CJK.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} rows, {1} columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} items</source>
        <extracomment>one: 1 item</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/dialogs</name>
    <message>
        <source>; left out: {0}{1}, for example because {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A clean figure with embedded type, legible at 8 cm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As on screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copying ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FIRST:LAST, FIRST:LAST:STEP, or values such as 1,2,4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FlexAttention beside dense tensors, with a test that both agree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For a paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Form of the script</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame {0} of {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the animation and play it here; nothing is saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No preview: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not copied: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preview plays the animation here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PyTorch code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PyTorch modules and tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped; nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The large picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The picture as it is drawn, with what is chosen in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The picture is on the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pictures of the page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The script is on the clipboard. It needs {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no numbers yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no points yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no picture yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no script: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What moves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which item of the batch, counted from 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing but PyTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} × {1} cm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} × {1} pt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} × {1} px</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} frames</source>
        <extracomment>one: 1 frame</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/forms</name>
    <message>
        <source> or </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, or </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nearest: {3}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alt+underlined letter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An empty box holds no number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the value that has the focus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Form and View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to a field, or flip a switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The clipboard holds neither a file nor its path; copy one of the two.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up, Down, Wheel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} must be between {1} and {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” is not a number such as 2.5 or 1e-3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” is not a whole number written with the digits 0 to 9</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/help</name>
    <message>
        <source>Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the inspector (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MIT licence. The typeface Inter has the SIL Open Font Licence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing found for “{0}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the keys and gestures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The previous place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The versions are on the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs</name>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0 to 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A and B are equal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A could not be run: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A, pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alt+Up, Alt+Down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brighten</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours of weights run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing. These pictures show the previous settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First or last stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forbid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long each stage is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer {layer} of A has no attention, so there is no B − A.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer {layer} of A has not come, so there is no B − A.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave Present</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave Present (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most cells are dark. Scale colours: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No picture of this page is a matrix of numbers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers as a table ({0})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin this run as A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin this run as A, then change a setting to see A, the new run B and B − A side by side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play a stage for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous or next layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous or next stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds per stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop, and do what the key does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pinned run cannot be shown: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The range that the colours of weights span</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same colour is the same weight in every picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn the chosen head off or on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>While stages play</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>X</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}, off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}, {1} of {2}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/attention</name>
    <message>
        <source>0 or −∞</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A mask of clauses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A mask that differs between heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A score that falls with the distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A score with a soft cap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All masks of this experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow and run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As in FlexAttention and SDPA</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As in nn.MultiheadAttention and Megatron</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks of {0} by {0} cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks of {0}: {1} full, {2} partial, {3} empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cells that can be skipped, by the side of the blocks: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a query and a key in the matrix, or a key by its dot in the curve.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the pair of features that is drawn in the circle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Documents, from a tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw no blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every query has a valid key. To see a difference, set a valid length to 0 or paint a row.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Findings about the mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Functions: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In rows with a valid key the first three agree: the largest difference is {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In rows with a valid key the first three differ by up to {0}: a fill of −1e6 is not far below their scores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move every token to later positions, and compare the scores with those of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing unusual was found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a Python file, start from a mask, or write a function (b, h, q_idx, kv_idx) here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output of the chosen query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pair of features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query {0} may attend to {1} of {2} keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query {0}, key {1}: {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read and allow ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run this code?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the file (Ctrl+S in the editor)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scroll the clauses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a cell to see which clauses allow it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift of the whole sentence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start from: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the text of the file again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the text of {0} again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The mask allows {share} of its cells{where}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The mask allows {share} of its cells{where}; it has {count} clauses.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number that is added to the score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plane of a pair of features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The score of the chosen query and key over their distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text before it is replaced; Undo ({0}) brings it back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no mask.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This experiment brings Python code. It can do whatever a program of yours can: read, write and delete files, and reach the network. Run it only if you trust where it comes from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>True = masked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>True = may attend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights under the policy {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a mask holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the functions printed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a softmax in float64</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allowed by {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>features {first} and {second}: q · k = {product}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>masked by {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none, it is part of the experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>positions, features {first} and {second}: product {product}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query {0}: {1}, output above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shift</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the run's scores of this query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this query and key at any distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} has changed since; Functions &gt; Revert takes the text of the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} has no form of this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} in float16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is there again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} was saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}, edited</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{empty} of {count} rows have no valid key.</source>
        <extracomment>one: The one row has no valid key.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{name} is gone; its last text stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ agrees with {0} (largest difference {1})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✗ differs from {0} by up to {1}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/attention/editors</name>
    <message>
        <source>1, 2, 3, ... keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A function (b, h, q_idx, kv_idx) that returns whether a query may attend to a key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A function (score, b, h, q_idx, kv_idx) that returns the changed score, before the mask.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All keys valid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file of arrays, .npz or .npy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag over cells of the picture to forbid them; again: point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag over painted cells to allow them again; again: point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw every length from 1 to the number of keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Equal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mask function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a Python file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open arrays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Per item</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Per query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run without own functions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sentence of the keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sentence of the queries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set every length to the first one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the functions in the editor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Staircase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This code may not run yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one for each item</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows: items, columns: queries</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/layered</name>
    <message>
        <source>All heads of the layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also show the mean and the maximum over all heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also show the sum of each row's weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch item</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beside each head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brush</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag over cells of the chosen head to forbid them (Space: the locked cell)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag over cells to allow them again in all heads of the layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag over cells to allow them again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag over cells to forbid them in all heads of the layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag over cells to forbid them in every head and batch item (Space: the locked cell)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag over cells to forbid them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag over painted cells to allow them again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw the lines of every query as strongly as those of the chosen one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hover cells, click to lock one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer {layer} cannot be shown: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer {layer} has not come yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lines of every query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean and maximum of all heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mouse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point to read a cell, click to hold it. The wheel zooms.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sort the heads by it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sort the heads by the number beside them, largest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sum of each row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The brush allows only what it has painted; this cell is {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The brush paints every head of the layer, not the chosen one alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number shown beside each head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This cell is allowed already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held: {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/model</name>
    <message>
        <source>1 to 9</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>= their sum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A word's weight as a key is the sum of its pieces', as a query their mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ablating head {head} changes the output most (cosine {cosine}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ablating head {head} costs most: “{token}” falls from {before} to {after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention is not attribution: a large weight need not matter for the prediction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attribution and ablation of every head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a layer and a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose “{token}” as new token {step}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a head to see it large, X turns it off (ablates it). Point at a patch to see what it attends to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a head to see it large, X turns it off (ablates it). Point at a word to see what it attends to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click, Up, Down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click, arrow keys, Home, End</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue with another of the most probable tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+L</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Left, Ctrl+Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each head is turned off (ablated) in turn: {done} of {count}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every head of every layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow a token over the layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Followed token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>H</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads of each layer, turned off in turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide the chosen token, or show it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide token {token} from all tokens (H)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide {token} from all tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold a patch's row in every view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Join the pieces of a word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key-value cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out special tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logit of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most probable tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One of the most probable tokens, or any other: type its text, or #7 for its number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patch the output of head {head} at token {token} from text B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patch the output of head {head} at {token} from text B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patches have no order: roles about earlier tokens or repetition are not measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point at a cell to see its most probable tokens, click one of these to follow it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point at a patch to see what it attends to, click to hold it. Its edge has the colour of its weight.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point at a token or a cell to see what it draws on, click to hold it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point at a word to see what it attends to, click to hold it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put a mask token, such as [MASK], into the text to see what is predicted there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random sets of as many heads in each of the same layers are turned off instead, so that the effect can be compared with something</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random sets of heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random sets of heads are turned off (ablated).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random sets of heads are turned off (ablated): {done} of {count}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank of the followed token after each layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Residual share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roles: {0} texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roles: {0} texts (changed)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows are states at a token: above layer 1 they hold what other tokens wrote there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the model once without each head (ablation). The colour is how much probability the top token loses, unless it is what each head adds; then that is on the right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scroll a long text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the new token before or after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the pass that leads to an earlier token; Run continues from there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show what a patch attends to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show {token} again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Small pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped. Choose the page again to read the state after each layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Such as [CLS]; the rows then no longer sum to 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text B as A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chosen heads beside random ones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The colour is what each head adds to a logit by itself (direct logit attribution).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The encoder's heads do not write into the state that predicts; what heads add is shown under Decoder and Cross.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder now holds another model than the one seen before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder's own settings make it “{token}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The image is another one than was seen before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The image, overlaid by how much each patch attends to the chosen one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The image, shaded by what the chosen patch draws on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The map names heads by the role in which they stand out in most of these texts; the large head and the inspector are of the text on screen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The map: a row for each query, a column for each key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model's own tokens as A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of each head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The picture shows the last map that could be made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share r of the identity in each layer, for the residual connection; Abnar &amp; Zuidema take 0.5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The state after each layer is being read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The state after each layer is being read: {done} of {count}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text is shaded by its own largest weight, not as the matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text, shaded by how much each token attends to the chosen one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text, shaded by what the chosen token draws on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The top token after each layer, at every token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This cell is painted for {name}; choose what the brush paints in View.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This folder has no head that names classes; all else is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This folder has no head that predicts tokens; all else is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is measured without the first and the special tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn each off in turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn head {head} off (X)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What each head adds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What each head adds to the logit is being computed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What heads add and cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the interventions do</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why this weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without interventions as A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adds to the logit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after layer {layer}, at “{token}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>classes of the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare with {count} random sets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head {head} adds {adds}; without it the logit changes by {lost}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in place of “{0}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its own tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer {layer}, at “{token}”: “{top}” {share}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layer {layer}: rank {rank}, {share}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>logit of “{token}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>logit of “{token}”, the top one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lost without it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>minus that of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next token after “{0}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no role in most texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not compared with random heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probability of the top token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank of “{name}” at “{token}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>residual share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shaded up to {largest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the score shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>up to layer {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without interventions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without it the logit changes by {lost}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} cannot be read now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} now has other texts than those that were measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} · point at a token of the text to see what looks at it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} · “{1}” is looked at by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} · “{1}” looks at</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} further terms</source>
        <extracomment>one: 1 further term</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{count} of {most} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{head}: {count} cells</source>
        <extracomment>one: {head}: 1 cell</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>{layer}: turning one head off costs {low} to {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n}: prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}, all tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” draws on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/model/editors</name>
    <message>
        <source>Allow the cells again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue with the model's own token again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder of a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image that the model reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other folder ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other image ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the token again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the model's own output again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The image, as the model gets it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn the head on again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none: an encoder-decoder writes by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none: the text is read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none: type one to compare with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} new tokens take up to {size} beside the model.</source>
        <extracomment>one: 1 new token takes up to {size} beside the model.</extracomment>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <source>“{0}” is no token of this folder; type its number, or choose a language</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/regression</name>
    <message>
        <source>0: no point in reach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CELL x = {0}, xᵢ = {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click or Enter takes kernel and width.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to use a width.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing every kernel at every width ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing the errors over the width ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Constant: the average.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dots are the last {0} steps, ★ is the least.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dots are the steps so far, ★ is the least.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads: w and share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>K of u is {0}; u is {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>K of u, where u is the difference over a width: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>K(u)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>K(u) = exp(score)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>K, the same for every key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Least: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss and w</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss over w</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean squared error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean squared error of the curve against the function without noise, over the queries in reach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers: leave-one-out errors, ★ the least.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>QUERY x = {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped. Choose the page again to compute it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The curves show the previous settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The loss if all heads had the same w; lines mark each head's w.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pictures show the previous settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These points have no leave-one-out errors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thin lines: some points have no neighbour in reach and do not count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This takes a while for more than {0} points.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all heads, averaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cells not square</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>e = exp(score − largest)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each weight is 1 over {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each weight is its K of u over the sum of all {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error to the truth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every key has the same height, 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>f of x is the sum of weight times y over {0} keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head {0}: share {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>head {0}: share × weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its {0} heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest score of the row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leave-one-out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leave-one-out error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no point in reach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no training point in reach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no training point in reach; {0} gives {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>queries x</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query x minus each of {0} keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>score = {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sum of weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the difference over {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the difference times w</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the difference times {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the heights of {0} heads, each with its own w, averaged by their shares p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mean over {0} points of the squared error of each, predicted from all the others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights of {0} heads, averaged by their shares p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to truth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training points x</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>w</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>w = 1/width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight (policy: {0})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight = K / Σ K</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight = e / Σ e</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight = Σ share × weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight × yᵢ = {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>width 1/w</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>x − xᵢ = {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>x − xᵢ, not used here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} (diverged)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} The average itself has no width.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} at width {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} kernel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} kernels × {1} widths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} to {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}, cells not square</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}, which is the softmax of the logarithm of K of u</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}: queries by training points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Σ K of the row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Σ e of the row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Σ weight × y</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/regression/editors</name>
    <message>
        <source>Add ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file of two columns, x and y.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag a point to move it, double-click to add one, Delete removes the selected one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw another estimator on the same points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep this one: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this curve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the points on screen as CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take two columns from the clipboard as the points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the clipboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the clipboard holds too much text; save it as a file</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/regression/plots</name>
    <message>
        <source>Add a training point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a kernel and a width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a training point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click, Return, Space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Up, Ctrl+Down, Ctrl+Left, Ctrl+Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete, Backspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Double click, Insert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors over the width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit: training points, truth and fitted curve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold a query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels by widths: fits and weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move a training point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the chosen point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the chosen point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+Left, Shift+Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take this kernel and width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take this width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training points and query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>least {0} at w {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>least {0} at width {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean squared error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not computed yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight of each point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>width σ</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/train</name>
    <message>
        <source>0 always takes the top prediction, 1 samples from the predicted probabilities</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A and B are the same step of one training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A: {run}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy without all heads of a role, every other head on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After the prompt the model predicts “{0}”. Press Write to continue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another model wrote this: its tokens or its length differ. Press Write again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arcs show the chosen head's weights; one below {0} has none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>B: {run}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the next head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the box to turn all heads of this role off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a head to choose it. X turns it off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a token to see the attention before it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing pairs with {head}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Curves of heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag over the curves to look at a step. Click a head to choose it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each accuracy is on sequences of its own seed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each head is measured once the training is paused or ends.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Effect of heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold the row of another token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List the chosen head with each other one, both off, instead of pairs of a role.
The mark in a bar is the sum of what is lost without each of them alone.
Pairs whose loss rises most beyond that come first: one head stands in for the other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss and accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most probable next tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NEXT TOKEN AFTER “{0}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No room for the curves: see Learning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not trained with these settings yet: New training starts it, or Run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs with {head}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin this step as A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin this step as A, then go to another step, change the seed, or turn a head off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press Write: the model continues the prompt with its own predictions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roles are turned off in turn after the heads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roles of all heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roles of every head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sample one token after another from the predictions of the step on screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show a token's probability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the attention before a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Statistics of the layer's heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped. Choose the page again to turn each head off in turn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped. Press Write to begin again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stronger the colour behind a token, the less probable it was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The written text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token {0}, “{1}”: probability {2}, after {3} tokens that the model saw.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too few rows count: the head has nothing to do there, or parks its attention on the first token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train again from step 0 with these settings: the learning rate acts from the start. Undo brings this training back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a prompt of at least one token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What each head attends to, and what is lost without it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is before or after the layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it predicts next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the model predicts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a row of the embedding for each token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accuracy {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after “{0}”, token {1}: “{2}”, {3}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>arcs off screen: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>arcs ≥ {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at least {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>before the first step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each alone, added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>embed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>grey: unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its own role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss / {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is written yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probability of the next token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>residual stream before layer 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>right token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>score in the role named at the right, held at the last step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>softmax of the stream after layer {0} times the unembedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sorted by accuracy lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sorted by loss beyond each alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {step}:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {step}: loss {loss}, accuracy {accuracy} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {step}: {heads}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tokens of the sequence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens, one of the vocabulary each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without both: accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without it: accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} of {1} right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} off: accuracy {1} % → {2} %, loss {3} → {4}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} off: accuracy {1} % → {2} %, loss {3} → {4} on {5}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} on average over {1} sequences, at least {2} in each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} tokens after step {1} at temperature {2}; mean probability {3}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}, plus its position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}. Press to look back at a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{effect} On {sequences}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{head} is off: it has no pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” is not in the training text: leave it out of the prompt.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/train/editors</name>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn the text of a file in UTF-8, of at most {0} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load a text file ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text to learn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train without this change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from step {0}: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the task's own</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/layers</name>
    <message>
        <source>, masked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>= score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>= weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A, the pinned run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>B − A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>B − A, 0 everywhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cell: query {0}, key {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose all cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose several cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the chosen numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+C copies the chosen numbers with all digits. T or Esc closes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it was computed is not known: the weights were given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys: what they are compared with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point at a word to see its lines, click to hold it; a click on a head shows it large.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Q, K or V</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>QUERY {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>QUERY {0}, HEAD {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queries: what is looked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query {0} gives most to key {1} in A, {2}, and to key {3} in B, {4}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query {0} gives most to key {1}: {2} in A, {3} in B.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query {0}, head {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query {0}, key {1}: {2} {3} in A, {4} in B; B − A is {5}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query, head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift with these, Drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the numbers of the picture as a table, or close it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Statistics of every head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table of numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Terms of the score, feature by feature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values: what is taken in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights of the chosen head, item {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after dropout {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attends most to {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each on its own ± scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>entropy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>entropy {0} bit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key {0}: weight {1}{2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>max</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no valid key in the row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no valid key: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of the largest magnitude</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>score {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>score, all heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sink takes {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight, A and B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight, all heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} (“{1}” in A)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} of {1} allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} of {1} keys allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}, after dropout {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}, sink {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}: no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}: no valid key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}: yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>÷ sum of exp over the row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>÷ sum of exp over the row and the sink</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>− largest of the row</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/lessons</name>
    <message>
        <source>A guess within {0} is right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A number of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A to F</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a choice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After the step below it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All controls; the lesson stays at this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All steps of this lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An expression of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An expression that is not true of the step, and true once the task is done: num_heads == 4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An expression that is true of the run, such as weights[0, 0, 0, 1] &gt; 0.5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before the step above it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin another lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By the run: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By the run: {0} cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cells of the picture to mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cells to mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choice {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choice {0} is the right one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose an answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click, Space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the editor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the editor; the lesson is kept until the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the lesson; the picture stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing the picture of this step ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing the picture of this step: {0} ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue at step {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Controls: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Y, Ctrl+Shift+Z</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Z</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do it as the lesson's author did</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not offer it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do the task in the window first: what was changed there is what “Show me” does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each choice has a condition, and the one whose condition is true is right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Editor of a lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every question is asked again, from the first step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to another cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hint: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Insert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Insert: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It comes with the run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is done if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is these cells.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Larger or smaller text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lecturer's desk - attnviz</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lesson {0} of {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lesson {0}: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the step show what is on screen; its texts stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mark a cell, or take its mark away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Markdown; {weights[0, 0, 0, 1]:.2f} is a number of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Marks the right choice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>My lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New here? Lesson {0}: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next lesson ›</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No notes for this step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No picture yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notes of the lecturer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers and conditions are checked once the step is on screen: press Show.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One of up to six choices, each with a reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PgDn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PgUp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Question of a lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo a change of the lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo in this lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove choice {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Say</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the clock to zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show a hint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show me: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the step in the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something to do in the window; it is checked while the learner acts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the clock, or let it run on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Testing the model on newly drawn sequences ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text of the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text shown after the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text shown once the task is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cells to mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The controls that the learner sees below this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The desk is for leading a lesson: open one first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lesson ends with this step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number that is asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run decides which is right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run's</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The step asks nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The step deleted last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time of day</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time on the lecturer's desk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title of the lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title of the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training to step {0} ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try it yourself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo in this lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo in this lesson (Ctrl+Z in a field)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo the last change of the lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo what was changed here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the screen as the solution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is on screen, after this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is on screen, each with its value there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the audience sees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why is {0} right or wrong?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With what was answered and done then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You have read this lesson before, up to step {0} of {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>blank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>elapsed
of {0} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>freeze</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lecturer's desk; the audience sees the other window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>marked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not marked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paused at
of {0} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>query {0}, key {1}: {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the answer is hidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the answer is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} cells differ.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is right if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} of {1} minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>○ not true of what is on screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>○ not yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ true of what is on screen</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/plots</name>
    <message>
        <source>Click, Return</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads of a sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a head on its most extreme run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a head on its most typical run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read a head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read a run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read the previous or next head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read the previous or next run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Return</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+Click, Shift+Return</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no valid key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{head} is off</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/plots/curves</name>
    <message>
        <source>Look at the step before or after, the first or the last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press to look back at a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the head of the nearest curve</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/plots/heads</name>
    <message>
        <source>Clear the box to turn this head off: it then adds nothing to the residual stream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads as points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Map of heads</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/plots/lines</name>
    <message>
        <source>Hold a query, or a cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold the next key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold the next query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the lines of a query, or a key's cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights of the chosen head as lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of every other query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of others the largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sink takes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the {0} largest of {1} keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight of “{0}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight, of every query</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/plots/matrix</name>
    <message>
        <source> (a pixel shows the largest of its cells; zoom in)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Double click, 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to another head while a cell is held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold a cell, or let go of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the zoomed picture; with a brush, paint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paint the held cell, with a brush chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show a cell in every view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Small heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wheel, +, -</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>columns:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>masked or left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row {0}, column {1}: {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row {0}: sum {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows: {0}, columns: {1}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/plots/tensors</name>
    <message>
        <source>+ 1 more item</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>+ {0} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>+ {0} more items</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bars, {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a number, before and after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the next number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click, Left, Right, Home, End</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads folded into the batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order of the bars: by weight or by position in the sequence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show what a token attends to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split and merge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values that the chosen row pools, and its output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights of the chosen row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and {0} more, all 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and {0} more, none larger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heads {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>merge of {0}: {1}, {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output =</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replaced by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sorted by position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sorted by weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>split of {0}: {1}, {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} · head {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} · heads {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>· column {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” looks at</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/run</name>
    <message>
        <source>A field holds a value that cannot be run; the picture shows the spec without it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last good picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PyTorch cannot be loaded: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is not enough memory for it. {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} and {1} more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/session</name>
    <message>
        <source>A file of this name exists already; its content would be lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files ({0})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All supported files ({0})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another window or program has changed it since; that would be lost. Save as keeps both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crash report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard the unsaved work of {0} windows?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It can be studied like any pretrained model. Undo returns to the training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It contains versions and code locations, nothing from your experiments.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open in the model lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opened {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening {0} ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Path of the report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace {0}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as a model folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save changes to {0}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved {0}, the model after step {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions ({0})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The report is on the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved work could not be backed up: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved work of a window that ended unexpectedly cannot be read: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved work of a window that ended unexpectedly cannot be restored: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved work of {0} windows was kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved work was kept: the session of {0}, {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your changes will be lost if you do not save them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attnviz ended unexpectedly, {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no step has been trained yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} cannot be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} files were dropped; drop one at a time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is not a file on this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}[*] - attnviz</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be opened. Supported: {endings}, and model folders.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} does not exist, or cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/sweeps</name>
    <message>
        <source>1,2,4 or FIRST:LAST or FIRST:LAST:STEP or log(0.0001, 0.1, 20) or @FILE.csv:COLUMN</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A point for each run, or for each head, with its mean and spread over the runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A table with a row for each head: means, spreads and roles over the runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose settings and their values: every combination is run, and the chosen measure is plotted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours of heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each value is run with each of these seeds; empty: with the one of the form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head {0} on its most extreme run, {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head {0} on its most typical run, {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No head stands out in a role in most of these runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run has both numbers of head {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point at a head to read it, click to open it on its most typical run, Shift+click on its most extreme.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point at a run to read it, click to open it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run {0} of the sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save heads ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save picture ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save table ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Second setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cell is on the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The command is on the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The overview names heads by the role in which they stand out in most of the runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The overview names heads by {0} texts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The picture shows the previous settings: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same table from a terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same table in a notebook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sweep has ended: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table of the sweep cannot be read: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These roles are of another model than the one on screen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use these roles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values from a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values from a file: its lines, a column of a table, or a field of JSON lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heads, against {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its table cannot be written in {0}: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no second one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the window sweeps at most {most} runs, not {count}; the command line sweeps more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} of {1} runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}: never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}: none</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/widgets</name>
    <message>
        <source>Choose an entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+/</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+S</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Esc, then Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Indent or unindent the lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave the editor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open menu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Own settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show an earlier step; Run continues from there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step of the training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tab indents; Esc, then Tab or Shift+Tab, leaves the editor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This Python code was not allowed to run: Read and allow ... shows it, and asks again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn the lines into comments, or back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Underlined letter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row {0}, column {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}, changed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/window</name>
    <message>
        <source>About attnviz</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add this view as a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Animation ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any key, Click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrow or rail of a panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Auto device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Black screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to hide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing the first picture of this lab ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Controls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as PyTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Double click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edge of a panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Facts of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figure ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold or open the controls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold or open the inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold or open the panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Freeze the picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frozen: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide or show the numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let go of the held cell, close the manual, leave Present</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the panel wider or narrower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Menu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Motion between stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next stage, or step of the lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notes - attnviz</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notes end after {0} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pace of the training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Present</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous stage, or step of the lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PyTorch could not be loaded: nothing can be drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset the width of the panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run or pause a training, where the focused widget has no use for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run plays the training at this pace: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as a model folder ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save with the trained model ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the new token before or after, where nothing else uses the keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the stage or the new token before or after, while no cell is held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the window again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spec ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spotlight on or off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to remember about this session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the module runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where weights are learned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>computing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>computing beside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>draw {0} ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>full speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>going back {0} steps to step {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>going to step {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading PyTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>own settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stored picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stored picture, loading PyTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} steps/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}, seed {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}, {1} left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}. 'attnviz doctor' says what to install.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}. Running on the CPU instead.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>resources/presets</name>
    <message>
        <source>30 items of 50 tokens. Inputs of ones: query i spreads 1/i over its i keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>96 heads on 64 tokens: as many heads as a layer of a large model has.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A boxcar of width 0.2 beside the average, a Gaussian of that width and a learned one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A function of your own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A learned matrix between queries of 3 features and keys of 6, as in Luong's general score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A pretrained model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A score depends on the distance alone: shift the sentence, and none changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A sink of logit 0 adds 1 to each sum: a head may attend to nothing at all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A text, letter by letter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A transformer that learns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A word is four numbers. Three random matrices make its query, its key and its value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add two numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Additive, random twin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Additive, textbook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another sample, a narrower Gaussian of width 0.3, and a fine grid of queries.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another seeded sample: every prediction is the mean of its training outputs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention pooling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Average pooling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Average pooling, random twin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bilinear scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Causal attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Causal sentence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cosine scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cross-attention of two sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Left, then 2 to 9: it goes on from the token that you choose.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dot product, random twin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dot product, textbook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each point is among its own keys: the loss nearly vanishes, the curve copies the noise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each score has a weight of its own; rows need not sum to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Eight heads share the keys and values of two: grouped queries. With one: multi-query.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Eight heads with random weights on a sentence: no word attends to a later one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Equal keys get equal weights: 1/2 on 2 keys, 1/6 on 6.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimators side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every weight is 1/50: every prediction is the mean of the training outputs, 2.2875.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Five keys for each query, two tokens apart, cover a stretch of nine tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fixed width, random twin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPT walkthrough</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPT walkthrough, random twin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grouped queries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hidden 10, 5 heads. Inputs of ones: weights 1/3 on 3 keys, 1/2 on 2 keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hidden 10, random twin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hidden 10, textbook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hidden 100, 5 heads, lengths 3 and 2. Inputs of ones: every row is even.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Induction: what repeats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inside a model that repeats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It keeps writing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned attention pooling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned width, nothing left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned width, random twin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned width, textbook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate 0.5, 5 epochs: w leaps from 0.97 to 15 in the first step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Many heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mask laboratory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Masked softmax, per item</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Masked softmax, per query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multi-head, random twin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multi-head, textbook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Normed and not scaled: with 8 features a score is 8 × a cosine, as in Swin V2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One X is queries, keys and values. Its tokens are equal: every row is even.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One global token joins all others, which attend to their neighbours alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queries of size 20, keys of size 2. Equal keys: weights 1/2 on 2 keys, 1/6 on 6.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queries, keys, values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotary positions over distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run: a segment repeats, and in one leap heads of two layers learn to continue it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run: a small model learns a rhyme by heart; then Write lets it go on from any beginning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run: after the bar the model writes the symbols backwards, looking ever further back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run: after the bar the model writes the symbols once more; it must find its place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run: the digits of a sum, the ones first, so that each carry is known when it is needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run: the model writes the symbols in the order of the alphabet; it must count them all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run: w grows from 0.9 to 3.9, the kernel narrows, and the curve learns to bend.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scores of shape (2, 2, 4) with valid lengths 2 and 3, one for each batch item.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scoring functions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Self-attention, random twin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Self-attention, textbook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several learned widths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sigmoid attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Softmax off by one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The question is read in both directions, the answer is written causally.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same scores, with a valid length for each query: 1 and 3, then 2 and 4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same shapes with random inputs: each head has two features.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same shapes with random inputs: every head differs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same shapes with random queries and keys: the weights differ.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same shapes with random tokens: every head differs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The textbook's training on another sample, drawn on a fine grid of queries.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The walkthrough's shapes with random tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The words of one sentence attend to those of another; the weights are random.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Three heads, each with its own w, are averaged by learned shares (an extension).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn head 1.2 off (ablate it): it attends only to itself, yet the prediction needs it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two documents, a causal window of 4 and painted cells leave one query without a key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a formula of x; the training points are its values plus noise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unscaled products of 512 features: one or two keys take nearly all. Turn the scaling on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variants of attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights below a threshold are exactly 0: most keys are left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights fall with the distance from the query: a Gaussian kernel of width 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why the root of d</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
