<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" sourcelanguage="en" language="zh_CN">
<context>
    <name>attnviz</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Dilated window</source>
        <translation>空洞窗口</translation>
    </message>
    <message>
        <source>Fixed width</source>
        <translation>固定带宽</translation>
    </message>
    <message>
        <source>Learned width</source>
        <translation>可学习带宽</translation>
    </message>
    <message>
        <source>Multi-head attention</source>
        <translation>多头注意力</translation>
    </message>
    <message>
        <source>Prefix LM</source>
        <translation>前缀 LM</translation>
    </message>
    <message>
        <source>Reverse</source>
        <translation>反转</translation>
    </message>
    <message>
        <source>Self-attention</source>
        <translation>自注意力</translation>
    </message>
    <message>
        <source>Sort</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>Sparsemax</source>
        <translation>Sparsemax</translation>
    </message>
    <message>
        <source>Window with global tokens</source>
        <translation>窗口加全局</translation>
    </message>
</context>
<context>
    <name>attnviz</name>
    <message>
        <source>; nearest: 0.5</source>
        <translation>；最接近的：0.5</translation>
    </message>
    <message>
        <source>; nearest: {last}</source>
        <translation>；最接近的：{last}</translation>
    </message>
    <message>
        <source>; nearest: {most}</source>
        <translation>；最接近的：{most}</translation>
    </message>
    <message>
        <source>; nearest: {nearest}</source>
        <translation>；最接近的：{nearest}</translation>
    </message>
    <message>
        <source>All steps</source>
        <translation>全部步骤</translation>
    </message>
    <message>
        <source>Animation</source>
        <translation>动画</translation>
    </message>
    <message>
        <source>Answer first, then see the picture.</source>
        <translation>先作答，再显示图像。</translation>
    </message>
    <message>
        <source>Back to the step</source>
        <translation>回到这一步</translation>
    </message>
    <message>
        <source>Bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>核对</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>配色</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Do</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Each head is turned off (ablated) in turn.</source>
        <translation>正在逐个关闭各头。</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Estimator</source>
        <translation>估计器</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>图</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>第一个词元</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>拟合</translation>
    </message>
    <message>
        <source>Generation</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Given weights</source>
        <translation>给定的权重</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Hidden tokens</source>
        <translation>隐去的词元</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>It is {0}.</source>
        <translation>结果是 {0}。</translation>
    </message>
    <message>
        <source>Item</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>核</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Lab</source>
        <translation>实验室</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Learning</source>
        <translation>学习</translation>
    </message>
    <message>
        <source>Lens</source>
        <translation>透镜</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>Logit</source>
        <translation>Logit</translation>
    </message>
    <message>
        <source>Mark the cells with a click, or with the arrow keys and Space.</source>
        <translation>单击，或用方向键和空格键标记格子。</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Mean squared error at each training point, predicted from all the others</source>
        <translation>各训练点处的均方误差，每点由其余所有点预测</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>New tokens</source>
        <translation>新词元</translation>
    </message>
    <message>
        <source>Next ›</source>
        <translation>下一步 ›</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>NumPy arrays</source>
        <translation>NumPy 数组</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>总览</translation>
    </message>
    <message>
        <source>Own functions</source>
        <translation>自己的函数</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页</translation>
    </message>
    <message>
        <source>Painted</source>
        <translation>涂画</translation>
    </message>
    <message>
        <source>Pixels</source>
        <translation>像素</translation>
    </message>
    <message>
        <source>Predict</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>Right: every cell.</source>
        <translation>全部正确。</translation>
    </message>
    <message>
        <source>Right: you answered {0}, and it is {1}.</source>
        <translation>正确：你答 {0}，结果是 {1}。</translation>
    </message>
    <message>
        <source>Rollout</source>
        <translation>逐层展开</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>示范</translation>
    </message>
    <message>
        <source>Show the answer</source>
        <translation>显示答案</translation>
    </message>
    <message>
        <source>Sinusoidal</source>
        <translation>正弦</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>The image, overlaid by what the chosen patch attends to</source>
        <translation>图像，按所选图块注意什么着色</translation>
    </message>
    <message>
        <source>The text, shaded by what the chosen token attends to</source>
        <translation>文本，按所选词元看向何处着色</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Two columns</source>
        <translation>两列数据</translation>
    </message>
    <message>
        <source>Untrained: random weights, seed {seed}</source>
        <translation>未训练：随机权重，种子 {seed}</translation>
    </message>
    <message>
        <source>Valid lengths</source>
        <translation>有效长度</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>You answered {0}; it is {1}.</source>
        <translation>你答 {0}，结果是 {1}。</translation>
    </message>
    <message>
        <source>Your cells</source>
        <translation>你标的格子</translation>
    </message>
    <message>
        <source>Your guess</source>
        <translation>你的猜测</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>全 0</translation>
    </message>
    <message>
        <source>a lesson has at most {most} steps</source>
        <translation>一课最多有 {most} 步</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>一个数</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>作答</translation>
    </message>
    <message>
        <source>distance (key − query)</source>
        <translation>距离（键 − 查询）</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>head {name}</source>
        <translation>头 {name}</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>itself</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>layer {n}</source>
        <translation>第 {n} 层</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>loss (sum of squares)</source>
        <translation>损失（平方和）</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>masked</source>
        <translation>被掩蔽</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>measured on its probe</source>
        <translation>在其探针上测得</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从未</translation>
    </message>
    <message>
        <source>no role</source>
        <translation>无角色</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>number</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>score</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>step {number}: {problem}</source>
        <translation>第 {number} 步：{problem}</translation>
    </message>
    <message>
        <source>step {step} of {steps}</source>
        <translation>第 {step} 步，共 {steps} 步</translation>
    </message>
    <message>
        <source>training points</source>
        <translation>训练点</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>truth</source>
        <translation>真值</translation>
    </message>
    <message>
        <source>values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>weight × yᵢ</source>
        <translation>权重 × yᵢ</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>what the heads do</source>
        <translation>各头的角色</translation>
    </message>
    <message>
        <source>x − xᵢ</source>
        <translation>x − xᵢ</translation>
    </message>
    <message>
        <source>{0} bit</source>
        <translation>{0} 比特</translation>
    </message>
    <message numerus="yes">
        <source>{count} heads</source>
        <extracomment>one: 1 head</extracomment>
        <translation><numerusform>{count} 个头</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>{count} tokens</source>
        <extracomment>one: 1 token</extracomment>
        <translation><numerusform>{count} 个词元</numerusform></translation>
    </message>
    <message>
        <source>{first} or {rest}</source>
        <translation>{first} 或 {rest}</translation>
    </message>
    <message>
        <source>{name} cannot be read: {why}</source>
        <translation>无法读取 {name}：{why}</translation>
    </message>
    <message>
        <source>{name} is larger than {most} MiB</source>
        <translation>{name} 大于 {most} MiB</translation>
    </message>
    <message>
        <source>{path} cannot be read: {why}</source>
        <translation>无法读取 {path}：{why}</translation>
    </message>
    <message>
        <source>“{0}” is not a number</source>
        <translation>“{0}”不是数</translation>
    </message>
    <message>
        <source>‹ Back</source>
        <translation>‹ 上一步</translation>
    </message>
</context>
<context>
    <name>attnviz/api</name>
    <message>
        <source>{said} must be a spec, its values, a preset's name or the path of a file</source>
        <translation>{said} 必须是设定、设定的值、预设名或文件路径</translation>
    </message>
</context>
<context>
    <name>attnviz/definitions</name>
    <message>
        <source>-1e6 (book)</source>
        <translation>-1e6（教材）</translation>
    </message>
    <message>
        <source>-inf (NaN)</source>
        <translation>-inf（NaN）</translation>
    </message>
    <message>
        <source>APNG</source>
        <translation>APNG</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Colours end at the largest weight of each picture, such as a head, instead of 1</source>
        <translation>颜色的上端取每幅图（如一个头）的最大权重，而不是 1</translation>
    </message>
    <message>
        <source>Colours end at the largest weight of each row: a row of many keys is as bright as one of few</source>
        <translation>颜色的上端取每行的最大权重：键多的行与键少的行一样亮</translation>
    </message>
    <message>
        <source>Columns between tabs</source>
        <translation>制表符分隔的列</translation>
    </message>
    <message>
        <source>Columns of text</source>
        <translation>文本列</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>Each picture to its largest</source>
        <translation>每幅图按其最大值</translation>
    </message>
    <message>
        <source>Each power of ten down to 0.0001 takes a quarter of the colours; smaller weights have the lowest</source>
        <translation>到 0.0001 为止，每个数量级占四分之一的颜色；更小的权重一律用最低的颜色</translation>
    </message>
    <message>
        <source>Each row to its largest</source>
        <translation>每行按其最大值</translation>
    </message>
    <message>
        <source>Each token attends to its own earlier occurrences.</source>
        <translation>每个词元关注自己先前出现过的位置。</translation>
    </message>
    <message>
        <source>Each token attends to itself.</source>
        <translation>每个词元关注自身。</translation>
    </message>
    <message>
        <source>Each token attends to the one a fixed number of positions before it, whatever token that is.</source>
        <translation>每个词元关注往前固定距离处的词元，不论那里是什么。</translation>
    </message>
    <message>
        <source>Each token attends to the previous token.</source>
        <translation>每个词元关注前一个词元。</translation>
    </message>
    <message>
        <source>Each token attends to the token after its previous occurrence: the head continues what repeats (induction head).</source>
        <translation>每个词元关注自己上次出现后紧跟的词元：这个头能续写重复的内容。</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>Every new token of a generation, or as many as can be watched</source>
        <translation>一次生成的每个新词元，或看得过来的那么多个</translation>
    </message>
    <message>
        <source>Every step of the training, or as many as can be watched</source>
        <translation>训练的每一步，步数太多时只取看得过来的若干步</translation>
    </message>
    <message>
        <source>Every token attends equally to all tokens up to itself: its row has the largest possible entropy.</source>
        <translation>每个词元均匀关注自身及之前的所有词元：该行的熵达到最大。</translation>
    </message>
    <message>
        <source>Every token attends to the first one (attention sink): such a head mostly does nothing.</source>
        <translation>每个词元都关注第一个词元：这样的头多半闲着。</translation>
    </message>
    <message>
        <source>Fixed distance</source>
        <translation>固定距离</translation>
    </message>
    <message>
        <source>For a paper: lines as such. As on screen: the pixels in an SVG</source>
        <translation>用于论文：线条为矢量。屏幕所见：SVG 中嵌入像素</translation>
    </message>
    <message>
        <source>From the inputs to the output, stage by stage</source>
        <translation>从输入到输出，逐个阶段</translation>
    </message>
    <message>
        <source>GIF</source>
        <translation>GIF</translation>
    </message>
    <message>
        <source>Gradient × weights</source>
        <translation>梯度 × 权重</translation>
    </message>
    <message>
        <source>How far away the attended keys are</source>
        <translation>各行关注的键离得有多远</translation>
    </message>
    <message>
        <source>How much one layer writes from each key: the length of its value, weighted and projected</source>
        <translation>一层从每个键写入多少：其值经加权和投影后的长度</translation>
    </message>
    <message>
        <source>How spread out the rows are, in bits: 0 if each attends to a single key</source>
        <translation>各行有多分散，以比特计：每行只关注一个键时为 0</translation>
    </message>
    <message>
        <source>Induction</source>
        <translation>归纳</translation>
    </message>
    <message>
        <source>It drops negative parts, and MLPs and values count only in the gradient at this one text. Only the row of the predicting token explains the logit. Rows do not sum to 1.</source>
        <translation>它舍去负的部分，MLP 和值只通过此文本处的梯度起作用。只有作出预测的词元那一行解释该 logit。各行之和不为 1。</translation>
    </message>
    <message>
        <source>It ignores directions (vectors that cancel in a later sum count as much as others), MLPs and norms; the residual share is chosen, not measured.</source>
        <translation>它忽略方向（之后会相互抵消的向量照样计入）、MLP 和归一化；残差份额是选定的，不是测得的。</translation>
    </message>
    <message>
        <source>It ignores values, MLPs and norms; the residual share is chosen, not measured.</source>
        <translation>它忽略值、MLP 和归一化；残差份额是选定的，不是测得的。</translation>
    </message>
    <message>
        <source>It shows one layer alone, without the residual connection, norms and MLPs. Its numbers are lengths, so rows do not sum to 1.</source>
        <translation>它只显示一层，不含残差连接、归一化和 MLP。数值是长度，所以各行之和不为 1。</translation>
    </message>
    <message>
        <source>It shows one layer alone: neither what earlier layers have mixed into each position, nor values.</source>
        <translation>它只显示一层：既看不到前面各层已混入每个位置的内容，也看不到值。</translation>
    </message>
    <message>
        <source>Itself</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation>JSON 行</translation>
    </message>
    <message>
        <source>Kernel regression</source>
        <translation>核回归</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Maximum of heads</source>
        <translation>各头的最大值</translation>
    </message>
    <message>
        <source>Mean of heads</source>
        <translation>各头的平均</translation>
    </message>
    <message>
        <source>Norm-weighted</source>
        <translation>按范数加权</translation>
    </message>
    <message>
        <source>Norm-weighted, rolled out</source>
        <translation>按范数加权并逐层展开</translation>
    </message>
    <message>
        <source>NumPy arrays of every stage</source>
        <translation>各阶段的 NumPy 数组</translation>
    </message>
    <message>
        <source>On first</source>
        <translation>关注第一个</translation>
    </message>
    <message>
        <source>On itself</source>
        <translation>关注自身</translation>
    </message>
    <message>
        <source>On previous</source>
        <translation>关注前一个</translation>
    </message>
    <message>
        <source>One NumPy array</source>
        <translation>单个 NumPy 数组</translation>
    </message>
    <message>
        <source>One head</source>
        <translation>单个头</translation>
    </message>
    <message>
        <source>One head of the last layer; in the layers before it the mean over heads</source>
        <translation>最后一层的一个头；之前各层取各头的平均</translation>
    </message>
    <message>
        <source>One number of the spec, from one value to another</source>
        <translation>设定中的一个数，从一个值变到另一个值</translation>
    </message>
    <message>
        <source>One setting</source>
        <translation>一个旋钮</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>PNG</source>
        <translation>PNG</translation>
    </message>
    <message>
        <source>Parquet</source>
        <translation>Parquet</translation>
    </message>
    <message>
        <source>Plays everywhere</source>
        <translation>到处都能播放</translation>
    </message>
    <message>
        <source>Previous token</source>
        <translation>前一个词元</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Raw weights</source>
        <translation>原始权重</translation>
    </message>
    <message>
        <source>Rollout with the shares of the norm-weighted map in place of weights</source>
        <translation>以范数加权图的份额代替权重的逐层展开</translation>
    </message>
    <message>
        <source>Row sums</source>
        <translation>行和</translation>
    </message>
    <message>
        <source>SVG</source>
        <translation>SVG</translation>
    </message>
    <message>
        <source>Same token</source>
        <translation>相同词元</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Share of the weight on the first key</source>
        <translation>第一个键所占的权重</translation>
    </message>
    <message>
        <source>Share of the weight on the key before the query</source>
        <translation>查询的前一个键所占的权重</translation>
    </message>
    <message>
        <source>Share of the weight on the key with the query's own position</source>
        <translation>与查询同位置的键所占的权重</translation>
    </message>
    <message>
        <source>Smaller, with all colours</source>
        <translation>文件更小，颜色完整</translation>
    </message>
    <message>
        <source>Spec</source>
        <translation>设定</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Table with a row for each cell</source>
        <translation>每格一行的表格</translation>
    </message>
    <message>
        <source>Table with a row for each head</source>
        <translation>每个头一行的表</translation>
    </message>
    <message>
        <source>Table with a row for each run</source>
        <translation>每次运行一行的表</translation>
    </message>
    <message>
        <source>Text and lines as vectors, cells as images</source>
        <translation>文字和线条为矢量，格为图像</translation>
    </message>
    <message>
        <source>The first key, which often takes most of the weight, is hatched; the colours end at the largest of the other weights in the picture</source>
        <translation>第一个键常占去大部分权重，用斜线表示；颜色的上端取图中其余键的最大权重</translation>
    </message>
    <message>
        <source>The largest distance of a row's sum from 1</source>
        <translation>各行之和与 1 的最大偏差</translation>
    </message>
    <message>
        <source>The largest number of any head, cell by cell</source>
        <translation>逐格取各头中最大的数</translation>
    </message>
    <message>
        <source>The mean over the heads of each layer</source>
        <translation>每层各头的平均</translation>
    </message>
    <message>
        <source>The product of all layers' weights, each mixed with the residual connection</source>
        <translation>所有层的权重之积，每层都与残差连接混合</translation>
    </message>
    <message>
        <source>The product over layers of (1 - r) times the shares of the length of the sum over heads of weight times value times output projection, plus r times the identity</source>
        <translation>各层之积：(1 - r) 乘以各头“权重 × 值 × 输出投影”之和的长度的份额，加 r 乘以单位矩阵</translation>
    </message>
    <message>
        <source>The product over layers of (1 - r) times the shares of {heads} the lengths of weight times value times output projection, plus r times the identity</source>
        <translation>各层之积：(1 - r) 乘以{heads}“权重 × 值 × 输出投影”的长度的份额，加 r 乘以单位矩阵</translation>
    </message>
    <message>
        <source>The product over layers of (1 - r) times {heads} the weights plus r times the identity, each row divided by its sum</source>
        <translation>各层之积：(1 - r) 乘以{heads}权重，加 r 乘以单位矩阵，每行除以其和</translation>
    </message>
    <message>
        <source>The product over layers of the identity plus {heads} the positive part of the weights times the gradient of the logit y, minus the identity</source>
        <translation>各层之积：单位矩阵加{heads}“权重 × logit y 的梯度”的正的部分，再减去单位矩阵</translation>
    </message>
    <message>
        <source>The weights of one layer, heads combined</source>
        <translation>一层的权重，各头合并</translation>
    </message>
    <message>
        <source>Uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>Weights times the gradient of a token's logit with respect to them, rolled out</source>
        <translation>权重乘以某个词元的 logit 对它们的梯度，逐层展开</translation>
    </message>
    <message>
        <source>Without the first key</source>
        <translation>不计第一个键</translation>
    </message>
    <message>
        <source>all but the first</source>
        <translation>除第一个以外</translation>
    </message>
    <message>
        <source>attend a fixed distance back</source>
        <translation>关注往前固定距离处</translation>
    </message>
    <message>
        <source>attend to all allowed tokens equally</source>
        <translation>均匀关注所有允许的词元</translation>
    </message>
    <message>
        <source>attend to earlier occurrences of the token</source>
        <translation>关注该词元先前出现的位置</translation>
    </message>
    <message>
        <source>attend to the previous token</source>
        <translation>关注前一个词元</translation>
    </message>
    <message>
        <source>attend to the token after the previous occurrence</source>
        <translation>关注上次出现后紧跟的词元</translation>
    </message>
    <message>
        <source>attend to the token itself</source>
        <translation>关注自身</translation>
    </message>
    <message>
        <source>attends a fixed distance back</source>
        <translation>关注往前固定距离处</translation>
    </message>
    <message>
        <source>attends to all allowed tokens equally</source>
        <translation>均匀关注所有允许的词元</translation>
    </message>
    <message>
        <source>attends to earlier occurrences of the token</source>
        <translation>关注该词元先前出现的位置</translation>
    </message>
    <message>
        <source>attends to the previous token</source>
        <translation>关注前一个词元</translation>
    </message>
    <message>
        <source>attends to the token after the previous occurrence</source>
        <translation>关注上次出现后紧跟的词元</translation>
    </message>
    <message>
        <source>attends to the token itself</source>
        <translation>关注自身</translation>
    </message>
    <message>
        <source>attends {distance} tokens back, whatever token that is</source>
        <translation>关注往前第 {distance} 个词元，不论那里是什么</translation>
    </message>
    <message>
        <source>bfloat16 and float32 reach further</source>
        <translation>bfloat16 和 float32 的范围更大</translation>
    </message>
    <message>
        <source>bit</source>
        <translation>比特</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>比特</translation>
    </message>
    <message>
        <source>dist</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>each row divided by its sum</source>
        <translation>每行除以其和</translation>
    </message>
    <message>
        <source>first</source>
        <translation>第一个</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>fixed distance (−{distance})</source>
        <translation>固定距离（−{distance}）</translation>
    </message>
    <message>
        <source>float64 reaches further</source>
        <translation>float64 的范围更大</translation>
    </message>
    <message>
        <source>from the third token on</source>
        <translation>从第三个词元起</translation>
    </message>
    <message>
        <source>ind</source>
        <translation>归纳</translation>
    </message>
    <message>
        <source>induction</source>
        <translation>归纳</translation>
    </message>
    <message>
        <source>logarithmic</source>
        <translation>对数</translation>
    </message>
    <message numerus="yes">
        <source>no training point is in reach of x = {x}: the policy {policy} makes its {count} weights equal, {weight} each.</source>
        <extracomment>one: no training point is in reach of x = {x}: the policy {policy} makes its one weight {weight}.</extracomment>
        <translation><numerusform>x = {x} 的核范围内没有训练点：“{policy}”使它的 {count} 个权重相等，各为 {weight}。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>no training point is in reach of x = {x}: the policy {policy} makes its {count} weights {weight}.</source>
        <extracomment>one: no training point is in reach of x = {x}: the policy {policy} makes its one weight {weight}.</extracomment>
        <translation><numerusform>x = {x} 的核范围内没有训练点：“{policy}”使它的 {count} 个权重成为 {weight}。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>no training point is in reach of x = {x}: the policy {policy} sets its {count} weights to 0.</source>
        <extracomment>one: no training point is in reach of x = {x}: the policy {policy} sets its one weight to 0.</extracomment>
        <translation><numerusform>x = {x} 的核范围内没有训练点：“{policy}”把它的 {count} 个权重设为 0。</numerusform></translation>
    </message>
    <message>
        <source>one head of</source>
        <translation>一个头的</translation>
    </message>
    <message>
        <source>park their attention on the first token (attention sink)</source>
        <translation>停在第一个词元上</translation>
    </message>
    <message>
        <source>parks its attention on the first token (attention sink)</source>
        <translation>停在第一个词元上</translation>
    </message>
    <message>
        <source>prev</source>
        <translation>前一个</translation>
    </message>
    <message>
        <source>previous</source>
        <translation>前一个</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>self</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>smaller inputs help</source>
        <translation>可减小输入的数值</translation>
    </message>
    <message>
        <source>the largest distance between the sum of a row and 1</source>
        <translation>各行之和与 1 的最大偏差</translation>
    </message>
    <message>
        <source>the length of the sum over heads of weight times value times output projection, in layer L</source>
        <translation>第 L 层各头“权重 × 值 × 输出投影”之和的长度</translation>
    </message>
    <message>
        <source>the maximum over heads of</source>
        <translation>各头最大的</translation>
    </message>
    <message>
        <source>the mean entropy of the rows over its maximum, from the third row on</source>
        <translation>从第三行起，各行的熵与其最大值之比的平均值</translation>
    </message>
    <message>
        <source>the mean of the weight in row i and column i</source>
        <translation>第 i 行第 i 列权重的平均值</translation>
    </message>
    <message>
        <source>the mean of the weight in row i and column i minus 1, from the third row on</source>
        <translation>从第三行起，第 i 行第 i 减 1 列权重的平均值</translation>
    </message>
    <message>
        <source>the mean of the weight in row i and column i minus 1, without the first row</source>
        <translation>除第一行外，第 i 行第 i 减 1 列权重的平均值</translation>
    </message>
    <message>
        <source>the mean of the weight in row i and column i minus d, for the distance d of two or more with the largest mean</source>
        <translation>第 i 行第 i 减 d 列权重的平均值，距离 d 不小于 2，取使平均值最大者</translation>
    </message>
    <message>
        <source>the mean of the weight in row i and column i, from the third row on</source>
        <translation>从第三行起，第 i 行第 i 列权重的平均值</translation>
    </message>
    <message>
        <source>the mean of the weight in the first column</source>
        <translation>第一列权重的平均值</translation>
    </message>
    <message>
        <source>the mean of the weight in the first column, without the first row</source>
        <translation>除第一行外，第一列权重的平均值</translation>
    </message>
    <message>
        <source>the mean over heads of</source>
        <translation>各头平均的</translation>
    </message>
    <message>
        <source>the mean over the rows of minus the sum of a times the base-2 logarithm of a</source>
        <translation>每行对 a 与 a 的以 2 为底的对数之积求和，取负，再对各行求平均</translation>
    </message>
    <message>
        <source>the mean over the rows of the sum of a times the distance between i and j</source>
        <translation>每行对 a 与 i、j 间距离之积求和，再对各行求平均</translation>
    </message>
    <message>
        <source>the mean weight on earlier occurrences of the same token, over the tokens that occurred before</source>
        <translation>在重复出现的词元中，先前相同词元所得权重的平均值</translation>
    </message>
    <message>
        <source>the mean weight on the token after the previous occurrence, over the tokens that occurred before</source>
        <translation>在重复出现的词元中，上一个相同词元之后的词元所得权重的平均值</translation>
    </message>
    <message>
        <source>tokens that occurred before</source>
        <translation>重复出现的词元</translation>
    </message>
    <message>
        <source>tokens with one at that distance</source>
        <translation>往前该距离处有词元的词元</translation>
    </message>
    <message>
        <source>top: each head's largest</source>
        <translation>上端：各头的最大值</translation>
    </message>
    <message>
        <source>top: each row's largest</source>
        <translation>上端：各行的最大值</translation>
    </message>
    <message>
        <source>unif</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>without the first key</source>
        <translation>不计第一个键</translation>
    </message>
    <message>
        <source>{distance} back</source>
        <translation>往前 {distance}</translation>
    </message>
    <message>
        <source>{heads} the length of weight times value times output projection, in layer L</source>
        <translation>第 L 层{heads}“权重 × 值 × 输出投影”的长度</translation>
    </message>
    <message>
        <source>{heads} the weights of layer L</source>
        <translation>{heads}第 L 层的权重</translation>
    </message>
    <message>
        <source>{path} has no ending; one of {endings} is needed</source>
        <translation>{path} 没有后缀；须为 {endings} 之一</translation>
    </message>
    <message>
        <source>{path}: {ending} is not among {endings}</source>
        <translation>{path}：{ending} 不在 {endings} 之中</translation>
    </message>
    <message numerus="yes">
        <source>{query} may attend to no key: the policy {policy} fills its {count} scores with {fill}, so each weight is {weight}.</source>
        <extracomment>one: {query} may attend to no key: the policy {policy} fills its one score with {fill}, so its weight is {weight}.</extracomment>
        <translation><numerusform>{query} 没有可关注的键：“{policy}”把它的 {count} 个分数填为 {fill}，因此每个权重都是 {weight}。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>{query} may attend to no key: the policy {policy} sets its {count} weights to 0.</source>
        <extracomment>one: {query} may attend to no key: the policy {policy} sets its one weight to 0.</extracomment>
        <translation><numerusform>{query} 没有可关注的键：“{policy}”把它的 {count} 个权重设为 0。</numerusform></translation>
    </message>
    <message>
        <source>|Σ−1|</source>
        <translation>|Σ−1|</translation>
    </message>
</context>
<context>
    <name>attnviz/definitions/decoder</name>
    <message>
        <source>A fixed vector of sines and cosines is added to each token's embedding (Vaswani et al. 2017).</source>
        <translation>词元向量加上由正弦和余弦组成的固定向量（Vaswani et al. 2017）。</translation>
    </message>
    <message>
        <source>A learned vector for each position is added to each token's embedding.</source>
        <translation>词元向量加上该位置学得的向量。</translation>
    </message>
    <message>
        <source>ALiBi</source>
        <translation>ALiBi</translation>
    </message>
    <message>
        <source>Adam</source>
        <translation>Adam</translation>
    </message>
    <message>
        <source>AdamW</source>
        <translation>AdamW</translation>
    </message>
    <message>
        <source>Each parameter has its own step size.</source>
        <translation>每个参数有自己的步长。</translation>
    </message>
    <message>
        <source>Each parameter has its own step size; weight decay shrinks the parameters.</source>
        <translation>每个参数有自己的步长；权重衰减使参数缩小。</translation>
    </message>
    <message>
        <source>Each score is lowered in proportion to the distance, in each head by a slope of its own.</source>
        <translation>分数随距离成比例降低，各头有各自的斜率。</translation>
    </message>
    <message>
        <source>Gradient descent with momentum: each step keeps a share of the previous one.</source>
        <translation>沿负梯度走一步，并保留上一步的一部分。</translation>
    </message>
    <message>
        <source>Learned</source>
        <translation>可学习</translation>
    </message>
    <message>
        <source>Only the causal mask tells positions apart.</source>
        <translation>只靠因果掩码区分位置。</translation>
    </message>
    <message>
        <source>Plain gradient descent.</source>
        <translation>沿负梯度走一步。</translation>
    </message>
    <message>
        <source>Queries and keys are rotated by angles that grow with the position.</source>
        <translation>查询和键按随位置增大的角度旋转。</translation>
    </message>
    <message>
        <source>Rotary</source>
        <translation>旋转位置编码</translation>
    </message>
    <message>
        <source>SGD</source>
        <translation>SGD</translation>
    </message>
    <message>
        <source>SGD, momentum</source>
        <translation>SGD，动量</translation>
    </message>
</context>
<context>
    <name>attnviz/definitions/functions</name>
    <message>
        <source>1 minus the size of u, at least 0</source>
        <translation>1 减 u 的绝对值，不小于 0</translation>
    </message>
    <message>
        <source>1 minus u squared, at least 0</source>
        <translation>1 减 u 的平方，不小于 0</translation>
    </message>
    <message>
        <source>1 where u is within 1 of 0, else 0</source>
        <translation>u 的绝对值小于 1 时为 1，否则为 0</translation>
    </message>
    <message>
        <source>2 sin x + x</source>
        <translation>2 sin x + x</translation>
    </message>
    <message>
        <source>2 sin x + x^0.8</source>
        <translation>2 sin x + x^0.8</translation>
    </message>
    <message>
        <source>; nearest: fewer brackets and signs</source>
        <translation>；最接近的：减少括号和符号</translation>
    </message>
    <message>
        <source>; nearest: the number itself</source>
        <translation>；最接近的：这个数本身</translation>
    </message>
    <message>
        <source>; nearest: {usage}</source>
        <translation>；最接近的：{usage}</translation>
    </message>
    <message>
        <source>; there are {names}</source>
        <translation>；可用的有 {names}</translation>
    </message>
    <message>
        <source>Boxcar</source>
        <translation>矩形</translation>
    </message>
    <message>
        <source>Chirp</source>
        <translation>啁啾</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>常数</translation>
    </message>
    <message>
        <source>Epanechnikov</source>
        <translation>Epanechnikov</translation>
    </message>
    <message>
        <source>Every point counts equally: the average.</source>
        <translation>每个点权重相同：即平均值。</translation>
    </message>
    <message>
        <source>Every training point counts, near ones most.</source>
        <translation>每个训练点都计入，越近权重越大。</translation>
    </message>
    <message>
        <source>Formula ...</source>
        <translation>公式 ...</translation>
    </message>
    <message>
        <source>Gaussian</source>
        <translation>高斯</translation>
    </message>
    <message>
        <source>Points within one width count equally, others not at all.</source>
        <translation>一个带宽以内的点权重相同，其余的点不计。</translation>
    </message>
    <message>
        <source>Sinc</source>
        <translation>Sinc</translation>
    </message>
    <message>
        <source>Step function</source>
        <translation>阶跃函数</translation>
    </message>
    <message>
        <source>Triangular</source>
        <translation>三角</translation>
    </message>
    <message>
        <source>Weight falls with the distance, to 0 at one width.</source>
        <translation>权重随距离减小，到一个带宽处为 0。</translation>
    </message>
    <message>
        <source>Weight falls with the squared distance, to 0 at one width.</source>
        <translation>权重随距离的平方减小，到一个带宽处为 0。</translation>
    </message>
    <message>
        <source>e to the minus u squared over 2</source>
        <translation>e 的负二分之一 u 平方次幂</translation>
    </message>
    <message>
        <source>formula cannot be read at character {place}: {said}</source>
        <translation>公式在第 {place} 个字符处无法解析：{said}</translation>
    </message>
    <message>
        <source>formula holds {length} characters</source>
        <translation>公式有 {length} 个字符</translation>
    </message>
    <message>
        <source>formula is empty; write one such as 2*sin(x)</source>
        <translation>公式为空；可写成 2*sin(x) 这样</translation>
    </message>
    <message>
        <source>formula is nested too deep</source>
        <translation>公式嵌套过深</translation>
    </message>
    <message>
        <source>formula stops at character {place}, where a number, x or a function must follow</source>
        <translation>公式到第 {place} 个字符就断了，后面应有数、x 或函数</translation>
    </message>
    <message>
        <source>formula {said}: write a power of a power with brackets, such as (x²)³</source>
        <translation>公式 {said}：幂的幂要加括号，如 (x²)³</translation>
    </message>
    <message>
        <source>formula {said}: write {left}*{right} for a product</source>
        <translation>公式 {said}：乘积要写成 {left}*{right}</translation>
    </message>
    <message>
        <source>formula {said}: write {usage}, with brackets</source>
        <translation>公式 {said}：要加括号，写成 {usage}</translation>
    </message>
    <message>
        <source>formula: a comma may only separate two arguments; a decimal number is written 1.5</source>
        <translation>公式：逗号只能分隔两个参数；小数写成 1.5</translation>
    </message>
    <message>
        <source>formula: the number of arguments of {name} must be {count}, not {given}</source>
        <translation>公式：{name} 应有 {count} 个参数，而不是 {given} 个</translation>
    </message>
    <message>
        <source>formula: there is no {said}{nearest}</source>
        <translation>公式：没有 {said}{nearest}</translation>
    </message>
    <message>
        <source>formula: {name} of a number alone</source>
        <translation>公式：{name} 的参数只是一个数</translation>
    </message>
    <message>
        <source>formula: {said} at character {place} is not arithmetic</source>
        <translation>公式：第 {place} 个字符处的 {said} 不是算式</translation>
    </message>
    <message>
        <source>formula: {said} at character {place} is not arithmetic; there are + - * / ^ ( )</source>
        <translation>公式：第 {place} 个字符处的 {said} 不是算式；可用 + - * / ^ ( )</translation>
    </message>
    <message>
        <source>formula: {said} is not arithmetic</source>
        <translation>公式：{said} 不是算式</translation>
    </message>
    <message>
        <source>formula: {said} is too large</source>
        <translation>公式：{said} 太大</translation>
    </message>
</context>
<context>
    <name>attnviz/definitions/masks</name>
    <message>
        <source>$(i, j)$ allowed by the model</source>
        <translation>模型允许 $(i, j)$</translation>
    </message>
    <message>
        <source>$(i, j)$ not painted</source>
        <translation>$(i, j)$ 未涂画</translation>
    </message>
    <message>
        <source>$j$ not hidden</source>
        <translation>$j$ 未隐藏</translation>
    </message>
    <message>
        <source>A mask_mod of FlexAttention from a Python file.</source>
        <translation>Python 文件中 FlexAttention 的 mask_mod。</translation>
    </message>
    <message>
        <source>Causal</source>
        <translation>因果</translation>
    </message>
    <message>
        <source>Cells forbidden by hand, as 'query: keys', such as 1: 3-5 7; 4-6: 2. Drag on the picture to paint.</source>
        <translation>手工禁止的格，写成“查询: 键”，如 1: 3-5 7; 4-6: 2。在图上拖动即可涂画。</translation>
    </message>
    <message>
        <source>Cells forbidden by hand, of a head or of all of them.</source>
        <translation>手工禁止的格，属于一个头或所有头。</translation>
    </message>
    <message>
        <source>Cells forbidden by the model's own mask.</source>
        <translation>模型按自己的规则禁止的格。</translation>
    </message>
    <message>
        <source>Dilation</source>
        <translation>空洞率</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Every query attends to the first tokens, such as a question, and beyond them causally. Leave Causal off: masks add up, and with it on the prefix is causal too.</source>
        <translation>每个查询都关注开头的词元（例如一个问题），之后的部分则是因果的。请不要打开“因果”：掩码会叠加，打开后前缀也成了因果的。</translation>
    </message>
    <message>
        <source>Global tokens</source>
        <translation>全局词元</translation>
    </message>
    <message>
        <source>How many leading keys are real: one per item, or one per query.</source>
        <translation>前多少个键有效：每个样本一个长度，或每个查询一个长度。</translation>
    </message>
    <message>
        <source>How many of the first tokens are global; 0 is a sliding window.</source>
        <translation>开头有多少个词元是全局的；0 就是滑动窗口。</translation>
    </message>
    <message>
        <source>Keys are less than this many steps away, in both directions; 1 is the query's own.</source>
        <translation>键在两个方向上的距离都小于这么多步；1 表示只有查询自己的位置。</translation>
    </message>
    <message>
        <source>Keys that no query may attend to.</source>
        <translation>任何查询都不得关注的键。</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Lengths of documents packed into the sequence, such as 4, 3, 3; each attends to itself alone.</source>
        <translation>拼成一个序列的各文档的长度，如 4, 3, 3；每个文档只关注自身。</translation>
    </message>
    <message>
        <source>No looking ahead: a query attends to the keys up to its own position, counted from the top left.</source>
        <translation>不看后面：查询只关注到自身位置为止的键，位置从左上角数起。</translation>
    </message>
    <message>
        <source>Other keys are less than this far away, in both directions.</source>
        <translation>其余的键在两个方向上的距离都小于此数。</translation>
    </message>
    <message>
        <source>Own mask</source>
        <translation>自己的掩码</translation>
    </message>
    <message>
        <source>Query i attends to keys less than the window away; the first tokens attend to all keys, and all queries to them, so that any two tokens are two steps apart.</source>
        <translation>查询 i 关注距离小于窗口的键；开头的词元关注所有键，所有查询也关注它们，因此任意两个词元之间只隔两步。</translation>
    </message>
    <message>
        <source>Query i attends to the keys a multiple of the dilation away, less than window steps, so that few keys cover a long distance.</source>
        <translation>查询 i 关注距离为空洞率倍数的键，且步数小于窗口，因此少量的键就能覆盖很长的距离。</translation>
    </message>
    <message>
        <source>Sliding window: query i attends to keys less than this far away; empty is no window.</source>
        <translation>滑动窗口：查询 i 只关注距离小于此数的键；留空则没有窗口。</translation>
    </message>
    <message>
        <source>The length of a step in tokens; 1 is a sliding window.</source>
        <translation>一步的长度（词元数）；1 就是滑动窗口。</translation>
    </message>
    <message>
        <source>The model's own</source>
        <translation>模型自己的</translation>
    </message>
    <message>
        <source>The number of tokens that every query attends to; 0 is a causal mask.</source>
        <translation>每个查询都关注的词元数；0 就是因果掩码。</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>a token that is hidden</source>
        <translation>该词元被隐去</translation>
    </message>
    <message>
        <source>another document ({of_query} and {of_key})</source>
        <translation>不同文档（{of_query} 和 {of_key}）</translation>
    </message>
    <message>
        <source>beyond the prefix of {length}</source>
        <translation>在长度为 {length} 的前缀之后</translation>
    </message>
    <message>
        <source>beyond valid length {length}</source>
        <translation>超出有效长度 {length}</translation>
    </message>
    <message>
        <source>by the model's own mask</source>
        <translation>模型自己的掩码</translation>
    </message>
    <message>
        <source>causal</source>
        <translation>因果</translation>
    </message>
    <message>
        <source>dilated window</source>
        <translation>空洞窗口</translation>
    </message>
    <message>
        <source>document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>hidden tokens</source>
        <translation>隐去的词元</translation>
    </message>
    <message>
        <source>i and j are less than {window} apart</source>
        <translation>i 与 j 的距离小于 {window}</translation>
    </message>
    <message>
        <source>i and j are less than {window} apart or one of them is at most {tokens}</source>
        <translation>i 与 j 的距离小于 {window}，或其中之一不大于 {tokens}</translation>
    </message>
    <message>
        <source>i and j are less than {window} steps of {dilation} apart</source>
        <translation>i 与 j 的距离小于 {window} 步，每步 {dilation}</translation>
    </message>
    <message>
        <source>i and j are not painted</source>
        <translation>i 与 j 处未涂画</translation>
    </message>
    <message>
        <source>i and j are of one document</source>
        <translation>i 与 j 属于同一文档</translation>
    </message>
    <message>
        <source>j is at most i</source>
        <translation>j 不大于 i</translation>
    </message>
    <message>
        <source>j is at most i or {length}</source>
        <translation>j 不大于 i 或 {length}</translation>
    </message>
    <message>
        <source>j is at most the valid length</source>
        <translation>j 不大于有效长度</translation>
    </message>
    <message>
        <source>j is not hidden</source>
        <translation>j 未被隐去</translation>
    </message>
    <message>
        <source>mask_mod</source>
        <translation>mask_mod</translation>
    </message>
    <message>
        <source>neither near nor global</source>
        <translation>既不邻近也不全局</translation>
    </message>
    <message>
        <source>or</source>
        <translation>或</translation>
    </message>
    <message>
        <source>outside the dilated window</source>
        <translation>在空洞窗口之外</translation>
    </message>
    <message>
        <source>outside the window of {window}</source>
        <translation>在窗口 {window} 之外</translation>
    </message>
    <message>
        <source>painted</source>
        <translation>涂画</translation>
    </message>
    <message>
        <source>painted by hand</source>
        <translation>手工涂画</translation>
    </message>
    <message>
        <source>prefix LM</source>
        <translation>前缀 LM</translation>
    </message>
    <message>
        <source>the model allows i and j</source>
        <translation>模型允许 i 与 j</translation>
    </message>
    <message>
        <source>the model's own mask</source>
        <translation>模型自己的掩码</translation>
    </message>
    <message>
        <source>valid lengths</source>
        <translation>有效长度</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>window with global tokens</source>
        <translation>窗口加全局</translation>
    </message>
    <message>
        <source>your mask</source>
        <translation>您的掩码</translation>
    </message>
    <message>
        <source>your mask ({clauses})</source>
        <translation>您的掩码（{clauses}）</translation>
    </message>
    <message>
        <source>your mask allows i and j</source>
        <translation>您的掩码允许 i 和 j</translation>
    </message>
</context>
<context>
    <name>attnviz/definitions/mechanisms</name>
    <message>
        <source>, minus the slope of the head times the distance</source>
        <translation>，减去该头的斜率乘距离</translation>
    </message>
    <message>
        <source>; nearest: {nearest}, or the additive module</source>
        <translation>；最接近的：{nearest}，或改用加性模块</translation>
    </message>
    <message>
        <source>ALiBi multi-head attention</source>
        <translation>ALiBi 多头注意力</translation>
    </message>
    <message>
        <source>Additive</source>
        <translation>加性</translation>
    </message>
    <message>
        <source>Additive attention</source>
        <translation>加性注意力</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>底数</translation>
    </message>
    <message>
        <source>Bilinear</source>
        <translation>双线性</translation>
    </message>
    <message>
        <source>Bilinear attention</source>
        <translation>双线性注意力</translation>
    </message>
    <message>
        <source>Causal multi-head</source>
        <translation>因果多头</translation>
    </message>
    <message>
        <source>Causal multi-head attention</source>
        <translation>因果多头注意力</translation>
    </message>
    <message>
        <source>Dot product</source>
        <translation>点积</translation>
    </message>
    <message>
        <source>Dot-product attention</source>
        <translation>点积注意力</translation>
    </message>
    <message>
        <source>Each head scores its own slice of the projected queries and keys.</source>
        <translation>每个头对投影后的查询和键中属于自己的一段打分。</translation>
    </message>
    <message>
        <source>Given attention weights</source>
        <translation>给定的注意力权重</translation>
    </message>
    <message>
        <source>Hidden size {num_hiddens} does not give each of {num_heads} heads an even number of features</source>
        <translation>隐藏 {num_hiddens} 无法由 {num_heads} 个头按特征对均分</translation>
    </message>
    <message>
        <source>Hidden size {num_hiddens} is not divisible by {num_heads} heads</source>
        <translation>隐藏 {num_hiddens} 无法由 {num_heads} 个头均分</translation>
    </message>
    <message>
        <source>Multi-head</source>
        <translation>多头</translation>
    </message>
    <message>
        <source>Multi-head attention in which distance lowers a score, in each head by a slope of its own.</source>
        <translation>多头注意力，分数随距离降低，各头有各自的斜率。</translation>
    </message>
    <message>
        <source>Multi-head attention that rotates each query and key by its position, so that scores depend on the distance.</source>
        <translation>多头注意力，查询和键按各自的位置旋转，因而分数取决于距离。</translation>
    </message>
    <message>
        <source>Multi-head self-attention in which each token attends to itself and to those before it.</source>
        <translation>多头自注意力，每个词元只关注自身和之前的词元。</translation>
    </message>
    <message>
        <source>Multi-head, ALiBi</source>
        <translation>多头，ALiBi</translation>
    </message>
    <message>
        <source>Multi-head, rotary</source>
        <translation>多头，旋转位置编码</translation>
    </message>
    <message>
        <source>Q K transposed</source>
        <translation>Q 乘 K 的转置</translation>
    </message>
    <message>
        <source>Q W_a K transposed</source>
        <translation>Q W_a K 转置</translation>
    </message>
    <message>
        <source>R Q times R K transposed</source>
        <translation>R Q 乘 R K 的转置</translation>
    </message>
    <message>
        <source>Rotary multi-head attention</source>
        <translation>旋转位置编码的多头注意力</translation>
    </message>
    <message>
        <source>Scores are a learned sum of tanh features, so queries and keys may differ in size.</source>
        <translation>分数是 tanh 特征的可学习加权和，因此查询和键的维数可以不同。</translation>
    </message>
    <message>
        <source>Scores are products of queries and keys with a learned matrix between them, so that the two may differ in size.</source>
        <translation>分数是查询与键的乘积，中间有一个学习得到的矩阵，因此两者的大小可以不同。</translation>
    </message>
    <message>
        <source>Scores are products of queries and keys; nothing is learned.</source>
        <translation>分数是查询与键的点积；没有可学习的参数。</translation>
    </message>
    <message>
        <source>The slowest pairs of features turn by almost 1 / base radians per position; 10000 is usual.</source>
        <translation>转得最慢的几组特征每个位置约转 1 / 底数弧度；通常为 10000。</translation>
    </message>
    <message>
        <source>The weights come from a file, computed by another model; nothing is computed here.</source>
        <translation>权重由另一个模型算出，从文件读入；这里不做计算。</translation>
    </message>
    <message>
        <source>alibi</source>
        <translation>alibi</translation>
    </message>
    <message>
        <source>at position i features m and m + {half} are turned by (i - 1) times {base} to the power -2 (m - 1) / {d}</source>
        <translation>在位置 i，特征 m 与 m + {half} 旋转的角度为 (i - 1) 乘 {base} 的 -2 (m - 1) / {d} 次幂</translation>
    </message>
    <message>
        <source>causal_multi_head always has causal on; turn it on</source>
        <translation>causal_multi_head 的 causal 必须打开；把它打开</translation>
    </message>
    <message>
        <source>causal_multi_head always has self_attention on; turn it on</source>
        <translation>causal_multi_head 的 self_attention 必须打开；把它打开</translation>
    </message>
    <message>
        <source>key_size {key_size} and query_size {query_size} have no dot product</source>
        <translation>key_size {key_size} 与 query_size {query_size} 不等，不能做点积</translation>
    </message>
    <message>
        <source>num_heads {num_heads} cannot be divided among num_kv_heads {num_kv_heads}</source>
        <translation>num_heads {num_heads} 不能平均分给 num_kv_heads {num_kv_heads}</translation>
    </message>
    <message>
        <source>num_hiddens {num_hiddens} does not give each of num_heads {num_heads} an even number of features, which are rotated in pairs</source>
        <translation>num_hiddens {num_hiddens} 不能给 num_heads {num_heads} 个头各分偶数个特征，而特征要成对旋转</translation>
    </message>
    <message>
        <source>num_hiddens {num_hiddens} is not divisible by num_heads {num_heads}</source>
        <translation>num_hiddens {num_hiddens} 不能被 num_heads {num_heads} 整除</translation>
    </message>
    <message>
        <source>product</source>
        <translation>乘积</translation>
    </message>
    <message>
        <source>rotary</source>
        <translation>rotary</translation>
    </message>
    <message>
        <source>tanh of W_q q + W_k k, {d} features</source>
        <translation>W_q q + W_k k 的 tanh，{d} 个特征</translation>
    </message>
    <message>
        <source>their dot product</source>
        <translation>两者的点积</translation>
    </message>
    <message>
        <source>their dot product after rotation</source>
        <translation>两者旋转后的点积</translation>
    </message>
    <message>
        <source>their product through W_a</source>
        <translation>两者经 W_a 的乘积</translation>
    </message>
    <message>
        <source>turned by</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>w_v times tanh</source>
        <translation>w_v 乘 tanh</translation>
    </message>
    <message>
        <source>w_v times their {d} tanh features</source>
        <translation>w_v 乘两者的 {d} 个 tanh 特征</translation>
    </message>
    <message>
        <source>{num_heads} heads cannot be divided among {num_kv_heads} key-value heads</source>
        <translation>{num_heads} 个头不能平均分给 {num_kv_heads} 个键值头</translation>
    </message>
    <message>
        <source>{num_queries} tokens are more than the context length {context_length}</source>
        <translation>{num_queries} 个词元超过上下文长度 {context_length}</translation>
    </message>
    <message>
        <source>Σ R q · R k</source>
        <translation>Σ R q · R k</translation>
    </message>
    <message>
        <source>Σ q W_a · k</source>
        <translation>Σ q W_a · k</translation>
    </message>
    <message>
        <source>Σ q · k</source>
        <translation>Σ q · k</translation>
    </message>
    <message>
        <source>Σ w_v · tanh</source>
        <translation>Σ w_v · tanh</translation>
    </message>
    <message>
        <source>− {slope} × |i − j|</source>
        <translation>− {slope} × |i − j|</translation>
    </message>
</context>
<context>
    <name>attnviz/definitions/score_steps</name>
    <message>
        <source> over the square root of {d}</source>
        <translation>，除以 {d} 的平方根</translation>
    </message>
    <message>
        <source> over {divisor:.4g}</source>
        <translation> 除以 {divisor:.4g}</translation>
    </message>
    <message>
        <source>+ bias</source>
        <translation>+ 偏置</translation>
    </message>
    <message>
        <source>, all divided by the temperature {temperature:g}</source>
        <translation>，全部除以温度 {temperature:g}</translation>
    </message>
    <message>
        <source>, at temperature {temperature:g}</source>
        <translation>，温度为 {temperature:g}</translation>
    </message>
    <message>
        <source>, changed by the score_mod {name}</source>
        <translation>，由 score_mod {name} 改变</translation>
    </message>
    <message>
        <source>, divided by {cap:g}, its tanh, times {cap:g}</source>
        <translation>，除以 {cap:g}，取 tanh，再乘 {cap:g}</translation>
    </message>
    <message>
        <source>, each vector over its root mean square</source>
        <translation>，每个向量除以其均方根</translation>
    </message>
    <message>
        <source>, plus the bias of the head</source>
        <translation>，加上该头的偏置</translation>
    </message>
    <message>
        <source>, with a sink in each row, a learned one for each head, which is dropped</source>
        <translation>，每行另加一个汇，各头学到自己的一个，最后丢弃</translation>
    </message>
    <message>
        <source>, with a sink of logit {logit:g} in each row, which is dropped</source>
        <translation>，每行另加一个 logit 为 {logit:g} 的汇，最后丢弃</translation>
    </message>
    <message>
        <source>Added to each score beside −log n, which makes rows of equal scores near 0 sum to about 1.</source>
        <translation>在 −log n 之外加到每个分数上；−log n 使分数都接近 0 的行之和约为 1。</translation>
    </message>
    <message>
        <source>Cap</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Each query and key of a head is divided by its root mean square, so that no long vector alone makes a score large.</source>
        <translation>每个头的查询和键各除以其均方根，这样分数不会只因为向量长而变大。</translation>
    </message>
    <message>
        <source>Each weight is the sigmoid of its score minus log n, for n keys, in place of the softmax: no key takes weight from another, and rows need not sum to 1.</source>
        <translation>代替 softmax：每个权重是其分数减去 log n（n 为键数）后的 sigmoid。键之间互不争夺权重，行之和不必为 1。</translation>
    </message>
    <message>
        <source>Each weight is what its score is above a threshold τ, in place of the softmax; τ makes a row sum to 1. Keys below it have a weight of exactly 0.</source>
        <translation>代替 softmax：每个权重是其分数超出阈值 τ 的部分；τ 使一行之和为 1。低于 τ 的键权重恰好为 0。</translation>
    </message>
    <message>
        <source>No score is larger than this, or smaller than its negative.</source>
        <translation>分数不大于此数，也不小于其相反数。</translation>
    </message>
    <message>
        <source>One more key of this logit in every row and head, dropped after the softmax: rows sum to less than 1.</source>
        <translation>每个头的每一行多一个 logit 为此数的键，softmax 之后丢弃：各行之和小于 1。</translation>
    </message>
    <message>
        <source>Query-key norm</source>
        <translation>QK 归一化</translation>
    </message>
    <message>
        <source>Sigmoid</source>
        <translation>Sigmoid</translation>
    </message>
    <message>
        <source>Sink</source>
        <translation>汇（sink）</translation>
    </message>
    <message>
        <source>Soft cap</source>
        <translation>软上限</translation>
    </message>
    <message>
        <source>The score of the sink; the larger it is, the less is left for the keys.</source>
        <translation>汇的分数；它越大，留给各键的权重越少。</translation>
    </message>
    <message>
        <source>after the norm</source>
        <translation>（归一化之后）</translation>
    </message>
    <message>
        <source>at least 0</source>
        <translation>不小于 0</translation>
    </message>
    <message>
        <source>cap</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>cap × tanh(score ÷ cap): small scores stay as they are, and none is beyond the cap.</source>
        <translation>上限 × tanh(分数 ÷ 上限)：小的分数基本不变，大的也不会超过上限。</translation>
    </message>
    <message>
        <source>capped score</source>
        <translation>软上限后的分数</translation>
    </message>
    <message>
        <source>capped scores</source>
        <translation>软上限后的分数</translation>
    </message>
    <message>
        <source>divided score</source>
        <translation>除以温度后的分数</translation>
    </message>
    <message>
        <source>exp of the sink of the head, {logit:.4g}</source>
        <translation>该头的汇的 exp（{logit:.4g}）</translation>
    </message>
    <message>
        <source>exp of the sink, {logit:g}</source>
        <translation>汇的 exp（{logit:g}）</translation>
    </message>
    <message>
        <source>mod</source>
        <translation>mod</translation>
    </message>
    <message>
        <source>modified score</source>
        <translation>修改后的分数</translation>
    </message>
    <message>
        <source>modified scores</source>
        <translation>修改后的分数</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>score_mod</source>
        <translation>score_mod</translation>
    </message>
    <message>
        <source>score_mod, {name}</source>
        <translation>score_mod，{name}</translation>
    </message>
    <message>
        <source>scores over the temperature</source>
        <translation>除以温度后的分数</translation>
    </message>
    <message>
        <source>sigmoid</source>
        <translation>sigmoid</translation>
    </message>
    <message>
        <source>sigmoid of each score, {scores}, minus the logarithm of the number of keys, plus {bias:g}</source>
        <translation>每个分数（{scores}）减去键数的对数、加上 {bias:g} 后的 sigmoid</translation>
    </message>
    <message>
        <source>sparsemax</source>
        <translation>sparsemax</translation>
    </message>
    <message>
        <source>sparsemax of each row of scores, {scores}</source>
        <translation>每行分数（{scores}）的 sparsemax</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>the cap of {cap} turns the largest of the {count} scores of {query}, {before} of {key}, into {after}.</source>
        <translation>{query} 的 {count} 个分数中最大的是 {key} 的 {before}，上限 {cap} 将其变为 {after}。</translation>
    </message>
    <message>
        <source>the cap of {cap} turns the score that {query} gives {key}, {before}, into {after}.</source>
        <translation>上限 {cap} 把 {query} 给 {key} 的分数 {before} 变为 {after}。</translation>
    </message>
    <message>
        <source>the score_mod {name} turns the largest of the {count} scores of {query}, {before} of {key}, into {after}.</source>
        <translation>score_mod {name} 把{query}的 {count} 个分数中最大的（{key}的 {before}）变为 {after}。</translation>
    </message>
    <message>
        <source>the score_mod {name} turns the score that {query} gives {key}, {before}, into {after}.</source>
        <translation>score_mod {name} 把{query}给{key}的分数 {before} 变为 {after}。</translation>
    </message>
    <message>
        <source>the temperature of {temperature} turns the largest of the {count} scores of {query}, {before} of {key}, into {after}.</source>
        <translation>温度 {temperature} 把{query}的 {count} 个分数中最大的（{key}的 {before}）变为 {after}。</translation>
    </message>
    <message>
        <source>the temperature of {temperature} turns the score that {query} gives {key}, {before}, into {after}.</source>
        <translation>温度 {temperature} 把{query}给{key}的分数 {before} 变为 {after}。</translation>
    </message>
    <message>
        <source>{cap:g} × tanh(score ÷ {cap:g})</source>
        <translation>{cap:g} × tanh(分数 ÷ {cap:g})</translation>
    </message>
    <message>
        <source>{query} and {key} are divided by their root mean square: lengths {before} and {key_before} become {after} and {key_after}.</source>
        <translation>{query} 和 {key} 各除以其特征的均方根：长度由 {before} 和 {key_before} 变为 {after} 和 {key_after}。</translation>
    </message>
    <message>
        <source>{query} is divided by the root mean square of its features: its length of {before} becomes {after}.</source>
        <translation>{query} 除以其特征的均方根：长度由 {before} 变为 {after}。</translation>
    </message>
    <message>
        <source>÷ temperature</source>
        <translation>÷ 温度</translation>
    </message>
    <message>
        <source>÷ temperature {temperature:g}</source>
        <translation>÷ 温度 {temperature:g}</translation>
    </message>
    <message>
        <source>− log {count}</source>
        <translation>− log {count}</translation>
    </message>
    <message>
        <source>− τ = (sum of the {count} largest − 1) ÷ {count}</source>
        <translation>− τ =（最大的 {count} 个之和 − 1）÷ {count}</translation>
    </message>
</context>
<context>
    <name>attnviz/definitions/stages</name>
    <message>
        <source>Q K V</source>
        <translation>Q K V</translation>
    </message>
    <message>
        <source>as it was given</source>
        <translation>照给定的值</translation>
    </message>
    <message>
        <source>dropout</source>
        <translation>暂退法</translation>
    </message>
    <message>
        <source>each head's weights times its values</source>
        <translation>各头的权重乘其值</translation>
    </message>
    <message>
        <source>each weight is kept with probability {keep} and divided by it</source>
        <translation>每个权重以概率 {keep} 保留，并除以这个概率</translation>
    </message>
    <message>
        <source>head i takes features {size} (i - 1) up to {size} i</source>
        <translation>头 i 取特征 {size} (i - 1) 到 {size} i</translation>
    </message>
    <message>
        <source>heads out</source>
        <translation>各头输出</translation>
    </message>
    <message>
        <source>masked score</source>
        <translation>掩蔽后的分数</translation>
    </message>
    <message>
        <source>masked scores</source>
        <translation>掩蔽后的分数</translation>
    </message>
    <message>
        <source>masked scores become minus a million</source>
        <translation>被掩蔽的分数变为负一百万</translation>
    </message>
    <message>
        <source>masked scores become minus a million, which is minus infinity in float16</source>
        <translation>被掩蔽的分数变为负一百万，在 float16 中即负无穷</translation>
    </message>
    <message>
        <source>masked scores become minus infinity</source>
        <translation>被掩蔽的分数变为负无穷</translation>
    </message>
    <message>
        <source>merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>queries and keys{step}</source>
        <translation>查询和键{step}</translation>
    </message>
    <message>
        <source>rotate</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>scores</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>softmax of each row of scores, {scores}</source>
        <translation>对分数逐行做 softmax，分数为 {scores}</translation>
    </message>
    <message>
        <source>split</source>
        <translation>拆分</translation>
    </message>
    <message>
        <source>tanh</source>
        <translation>tanh</translation>
    </message>
    <message>
        <source>the given queries, keys and values</source>
        <translation>给定的查询、键和值</translation>
    </message>
    <message>
        <source>the given weights</source>
        <translation>给定的权重</translation>
    </message>
    <message>
        <source>the heads side by side again</source>
        <translation>各头重新并排拼接</translation>
    </message>
    <message>
        <source>the heads side by side times {layer} transposed</source>
        <translation>各头并排拼接，乘 {layer} 的转置</translation>
    </message>
    <message>
        <source>the {inputs} as they are given</source>
        <translation>给定的 {inputs}</translation>
    </message>
    <message>
        <source>the {inputs} times their matrix transposed</source>
        <translation>{inputs} 乘对应矩阵的转置</translation>
    </message>
    <message>
        <source>unless</source>
        <translation>除非</translation>
    </message>
    <message>
        <source>weight after dropout</source>
        <translation>暂退法后的权重</translation>
    </message>
    <message>
        <source>weights after dropout</source>
        <translation>暂退法后的权重</translation>
    </message>
    <message>
        <source>weights times values</source>
        <translation>权重乘值</translation>
    </message>
    <message>
        <source>where $j$ is masked for $i$</source>
        <translation>若 $j$ 对 $i$ 被掩蔽</translation>
    </message>
    <message>
        <source>{filled} unless {rules}</source>
        <translation>{filled}，除非 {rules}</translation>
    </message>
    <message>
        <source>{first} and {second}</source>
        <translation>{first} 且 {second}</translation>
    </message>
    <message>
        <source>{scores}, plus the mask</source>
        <translation>{scores}，再加上掩码</translation>
    </message>
    <message>
        <source>{scores}, with minus a million where the mask forbids a key</source>
        <translation>{scores}，掩码禁止的键处为负一百万</translation>
    </message>
</context>
<context>
    <name>attnviz/definitions/tasks</name>
    <message>
        <source>; nearest: another text</source>
        <translation>；最接近的：换一个文本</translation>
    </message>
    <message>
        <source>A segment of distinct tokens occurs a second time, at a varying position: continue it.</source>
        <translation>一段互不相同的词元会在不定的位置再次出现：把它续完。</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>加法</translation>
    </message>
    <message>
        <source>Added next</source>
        <translation>待加数字</translation>
    </message>
    <message>
        <source>After the bar, write the symbols backwards.</source>
        <translation>在竖线之后，把各符号倒着写出。</translation>
    </message>
    <message>
        <source>After the bar, write the symbols in the order of the alphabet.</source>
        <translation>在竖线之后，把各符号按字母顺序写出。</translation>
    </message>
    <message>
        <source>After the bar, write the symbols once more.</source>
        <translation>在竖线之后，把各符号再写一遍。</translation>
    </message>
    <message>
        <source>Continue a text, character by character.</source>
        <translation>逐个字符续写一段文本。</translation>
    </message>
    <message>
        <source>Copied next</source>
        <translation>待复制符号</translation>
    </message>
    <message>
        <source>Digits</source>
        <translation>位数</translation>
    </message>
    <message>
        <source>Each digit of the second number attends to the digit of the same place value in the first.</source>
        <translation>第二个数的每一位关注第一个数的同一位。</translation>
    </message>
    <message>
        <source>From the bar on, each token attends to the next larger symbol, or to all that are equal to it.</source>
        <translation>从竖线起，每个词元关注下一个更大的符号，有几个相等的就都关注。</translation>
    </message>
    <message>
        <source>From the bar on, each token attends to the symbol mirrored by the position after it.</source>
        <translation>从竖线起，每个词元关注其下一位置的镜像处的符号。</translation>
    </message>
    <message>
        <source>From the bar on, each token attends to the symbol to be copied next.</source>
        <translation>从竖线起，每个词元关注下一个要复制的符号。</translation>
    </message>
    <message>
        <source>From the equals sign on, each token attends to the two digits to be added next.</source>
        <translation>从等号起，每个词元关注接下来要相加的两个数字。</translation>
    </message>
    <message>
        <source>How many symbols there are at most; at least half as many.</source>
        <translation>符号个数的上限；每次至少有一半。</translation>
    </message>
    <message>
        <source>Length of the repeated segment, in tokens.</source>
        <translation>出现两次的片段的词元数。</translation>
    </message>
    <message>
        <source>Mirrored position</source>
        <translation>镜像位置</translation>
    </message>
    <message>
        <source>Next larger</source>
        <translation>下一个更大</translation>
    </message>
    <message>
        <source>Other digit</source>
        <translation>同位数字</translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Segment</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Sequence length, in tokens.</source>
        <translation>一个序列的词元数。</translation>
    </message>
    <message>
        <source>Symbols</source>
        <translation>符号</translation>
    </message>
    <message>
        <source>The digits of each number.</source>
        <translation>每个数的位数。</translation>
    </message>
    <message>
        <source>The number of different tokens.</source>
        <translation>不同词元的个数。</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Write the sum of two numbers digit by digit, starting with the ones.</source>
        <translation>从个位起，逐位写出两数之和。</translation>
    </message>
    <message>
        <source>a longer text</source>
        <translation>换更长的文本</translation>
    </message>
    <message>
        <source>a model handles 2 to 128 distinct characters, but the text has {different}</source>
        <translation>模型可有 2 到 128 个不同字符，而文本有 {different} 个</translation>
    </message>
    <message>
        <source>a segment of {segment} distinct tokens needs a vocabulary larger than {vocab_size}</source>
        <translation>片段有 {segment} 个不同的词元，大小为 {vocab_size} 的词表不够用</translation>
    </message>
    <message>
        <source>a sum of numbers of {digits} digits is longer than {num_tokens} tokens</source>
        <translation>{digits} 位数的加法算式超过 {num_tokens} 个词元</translation>
    </message>
    <message>
        <source>added</source>
        <translation>待加</translation>
    </message>
    <message>
        <source>addends</source>
        <translation>待加</translation>
    </message>
    <message>
        <source>another task</source>
        <translation>换一个任务</translation>
    </message>
    <message>
        <source>attend to the digits to be added next</source>
        <translation>关注接下来要相加的数字</translation>
    </message>
    <message>
        <source>attend to the mirrored position</source>
        <translation>关注镜像位置</translation>
    </message>
    <message>
        <source>attend to the next larger token</source>
        <translation>关注下一个更大的词元</translation>
    </message>
    <message>
        <source>attend to the same digit of the other number</source>
        <translation>关注另一个数的同一位</translation>
    </message>
    <message>
        <source>attend to the symbol to be copied next</source>
        <translation>关注下一个要复制的符号</translation>
    </message>
    <message>
        <source>attends to the digits to be added next</source>
        <translation>关注接下来要相加的数字</translation>
    </message>
    <message>
        <source>attends to the mirrored position</source>
        <translation>关注镜像位置</translation>
    </message>
    <message>
        <source>attends to the next larger token</source>
        <translation>关注下一个更大的词元</translation>
    </message>
    <message>
        <source>attends to the same digit of the other number</source>
        <translation>关注另一个数的同一位</translation>
    </message>
    <message>
        <source>attends to the symbol to be copied next</source>
        <translation>关注下一个要复制的符号</translation>
    </message>
    <message>
        <source>copied</source>
        <translation>待复制</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>待复制</translation>
    </message>
    <message>
        <source>digit</source>
        <translation>同位</translation>
    </message>
    <message>
        <source>larger</source>
        <translation>更大</translation>
    </message>
    <message>
        <source>mirr</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>mirrored</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>other</source>
        <translation>同位</translation>
    </message>
    <message>
        <source>the bar and the answer</source>
        <translation>竖线和答案</translation>
    </message>
    <message>
        <source>the equals sign and the sum</source>
        <translation>等号与和</translation>
    </message>
    <message>
        <source>the mean, over the answer, of the weight on the symbol that the bar mirrors to the next position</source>
        <translation>在答案各行中，下一位置关于竖线的镜像符号所得权重的平均值</translation>
    </message>
    <message>
        <source>the mean, over the answer, of the weight on the symbol to be copied next</source>
        <translation>在答案各行中，下一个要复制的符号所得权重的平均值</translation>
    </message>
    <message>
        <source>the mean, over the answer, of the weight on the symbols that must come next</source>
        <translation>在答案各行中，下一个应写的符号所得权重的平均值</translation>
    </message>
    <message>
        <source>the mean, over the digits of the second number, of the weight on the digit of the same place value in the first number</source>
        <translation>在第二个数的各位中，第一个数同一位所得权重的平均值</translation>
    </message>
    <message>
        <source>the mean, over the sum, of the weight on the two digits that are added next</source>
        <translation>在和的各位中，接下来要相加的两个数字所得权重的平均值</translation>
    </message>
    <message>
        <source>the second number</source>
        <translation>第二个数</translation>
    </message>
    <message>
        <source>the text has {characters} characters, fewer than twice {num_tokens} tokens; some of it is held out for testing</source>
        <translation>文本有 {characters} 个字符，不足 {num_tokens} 个词元的两倍，而其中还要留出一部分</translation>
    </message>
    <message>
        <source>the text has {characters} characters, fewer than {num_tokens} tokens</source>
        <translation>文本有 {characters} 个字符，不足 {num_tokens} 个词元</translation>
    </message>
    <message>
        <source>twice a segment of {segment} is more than {num_tokens} tokens</source>
        <translation>长为 {segment} 的片段出现两次，超过 {num_tokens} 个词元</translation>
    </message>
    <message>
        <source>{num_tokens} tokens, of which {segment} occur twice, need a vocabulary larger than {vocab_size}</source>
        <translation>{num_tokens} 个词元中有 {segment} 个出现两次，大小为 {vocab_size} 的词表不够用</translation>
    </message>
    <message>
        <source>{symbols} symbols, a bar and their answer are more than {num_tokens} tokens</source>
        <translation>{symbols} 个符号、竖线和答案合起来超过 {num_tokens} 个词元</translation>
    </message>
</context>
<context>
    <name>attnviz/engine</name>
    <message>
        <source>; it has none</source>
        <translation>；其中没有数组</translation>
    </message>
    <message>
        <source>; it has: {arrays}</source>
        <translation>；其中有：{arrays}</translation>
    </message>
    <message>
        <source>; it has: {arrays}, and {more} more</source>
        <translation>；其中有：{arrays}，另有 {more} 个</translation>
    </message>
    <message>
        <source>a part of the queries, keys and values needs less</source>
        <translation>只取一部分查询、键和值可节省内存</translation>
    </message>
    <message>
        <source>a part of the weights needs less</source>
        <translation>只取一部分权重可节省内存</translation>
    </message>
    <message>
        <source>choose an {either} file to read queries, keys and values from</source>
        <translation>选择一个 {either} 文件，从中读取查询、键和值</translation>
    </message>
    <message>
        <source>choose an {either} file to read weights from</source>
        <translation>选择一个 {either} 文件，从中读取权重</translation>
    </message>
    <message>
        <source>in {language}, step {number} has other parts</source>
        <translation>在 {language} 中，第 {number} 步的组成部分不同</translation>
    </message>
    <message>
        <source>in {language}, step {number} shows different numbers</source>
        <translation>在 {language} 中，第 {number} 步的数字不同</translation>
    </message>
    <message>
        <source>in {language}, the block of step {number} is another one</source>
        <translation>在 {language} 中，第 {number} 步的设置块不同</translation>
    </message>
    <message>
        <source>it ended its process: it needs too much memory, or is broken</source>
        <translation>它结束了自己的进程：它需要的内存过多，或已损坏</translation>
    </message>
    <message>
        <source>it needs more than {most}</source>
        <translation>它需要的内存超过 {most}</translation>
    </message>
    <message>
        <source>it starts more than {most} processes</source>
        <translation>它启动了多于 {most} 个进程</translation>
    </message>
    <message>
        <source>it takes more than {most} seconds</source>
        <translation>它用时超过 {most} 秒</translation>
    </message>
    <message>
        <source>step {step} must be in 0..{steps}</source>
        <translation>步 {step} 必须在 0..{steps} 内</translation>
    </message>
    <message>
        <source>the memory of {device} ran out when {size} more were asked for; {remedy}</source>
        <translation>{device} 的内存用尽，无法再分配 {size}；{remedy}</translation>
    </message>
    <message>
        <source>the memory of {device} ran out; {remedy}</source>
        <translation>{device} 的内存用尽；{remedy}</translation>
    </message>
    <message>
        <source>the run failed unexpectedly: {why}</source>
        <translation>运行意外失败：{why}</translation>
    </message>
    <message>
        <source>the run failed: {why}</source>
        <translation>运行失败：{why}</translation>
    </message>
    <message>
        <source>the view is at {name} {place}, but the last one is {most}</source>
        <translation>要看的是 {name} {place}，而最后一个是 {most}</translation>
    </message>
    <message>
        <source>there is no device {device} here; this machine has {known}</source>
        <translation>这里没有设备 {device}；本机有 {known}</translation>
    </message>
    <message>
        <source>there is no stage {said} here</source>
        <translation>这里没有阶段 {said}</translation>
    </message>
    <message>
        <source>this run needs about {size}, but {device} has {free} free; {remedy}</source>
        <translation>这次运行约需 {size}，而 {device} 只剩 {free}；{remedy}</translation>
    </message>
    <message>
        <source>{language} has another block, or as many steps no more</source>
        <translation>{language} 的设置块不同，或步数不同</translation>
    </message>
    <message>
        <source>{path} has no array {missing}{known}{near}</source>
        <translation>{path} 中没有数组 {missing}{known}{near}</translation>
    </message>
    <message>
        <source>{path} holds no plain arrays of numbers that can be read (pickled objects never are)</source>
        <translation>{path} 中没有可读取的普通数值数组（从不读取 pickle 对象）</translation>
    </message>
    <message>
        <source>{path} must end in {either}</source>
        <translation>{path} 必须以 {either} 结尾</translation>
    </message>
    <message>
        <source>{path} needs more memory than is free</source>
        <translation>{path} 所需的内存超过可用内存</translation>
    </message>
    <message>
        <source>{path} needs more memory than is free, or is damaged</source>
        <translation>{path} 所需的内存超过可用内存，或文件已损坏</translation>
    </message>
    <message>
        <source>{path} unpacks to {size} MiB; at most {most} MiB are read</source>
        <translation>{path} 解压后为 {size} MiB；最多读取 {most} MiB</translation>
    </message>
    <message>
        <source>{path}: {name} has shape {shape}; at most {items} items of {most} by {most} are read</source>
        <translation>{path}：{name} 的形状为 {shape}；最多读取 {items} 个 {most} 乘 {most} 的样本</translation>
    </message>
    <message>
        <source>{path}: {name} has shape {shape}; needed (length, size) or (batch, length, size), none of them 0</source>
        <translation>{path}：{name} 的形状为 {shape}；应为 (length, size) 或 (batch, length, size)，且各维都不为 0</translation>
    </message>
    <message>
        <source>{path}: {name} has shape {shape}; needed (out, in)</source>
        <translation>{path}：{name} 的形状为 {shape}；应为 (out, in)</translation>
    </message>
    <message>
        <source>{path}: {name} holds {dtype}, not real numbers</source>
        <translation>{path}：{name} 的类型是 {dtype}，不是实数</translation>
    </message>
    <message>
        <source>{path}: {name} holds {value} at {place}; every number must be finite</source>
        <translation>{path}：{name} 在 {place} 处为 {value}；每个数都必须是有限数</translation>
    </message>
    <message>
        <source>{said} is not a control that acts here</source>
        <translation>{said} 不是此处起作用的控件</translation>
    </message>
</context>
<context>
    <name>attnviz/engine/attention</name>
    <message>
        <source>; nearest: float32, or the cpu</source>
        <translation>；最接近的：float32，或改用 cpu</translation>
    </message>
    <message>
        <source>; nearest: multi_head with causal on</source>
        <translation>；最接近的：multi_head 并打开 causal</translation>
    </message>
    <message>
        <source>fewer queries, keys, heads or batch items need less</source>
        <translation>减少查询、键、头或批量中的样本可节省内存</translation>
    </message>
    <message>
        <source>mps has no float64</source>
        <translation>mps 不支持 float64</translation>
    </message>
    <message>
        <source>not in the file</source>
        <translation>不在文件中</translation>
    </message>
    <message>
        <source>the output is not finite in {dtype}; {further}</source>
        <translation>输出在 {dtype} 中不是有限数；{further}</translation>
    </message>
    <message>
        <source>the weights of item {item}, head {head_number}, query {query} are not finite: the scores overflow {dtype}; a wider precision, scaling or a higher temperature helps</source>
        <translation>样本 {item}、头 {head_number}、查询 {query} 的权重不是有限数：分数在 {dtype} 中溢出；可提高精度、打开缩放或升高温度</translation>
    </message>
    <message>
        <source>{name} in the file has shape {shape}; num_hiddens {num_hiddens} and the inputs need {needed}</source>
        <translation>文件中 {name} 的形状为 {shape}；按 num_hiddens {num_hiddens} 和输入应为 {needed}</translation>
    </message>
    <message>
        <source>{path}: queries, keys and values do not fit each other: {shapes}</source>
        <translation>{path}：查询、键和值的形状不相配：{shapes}</translation>
    </message>
    <message>
        <source>{path}: {mechanism} attends to its own tokens, but keys and values differ from queries</source>
        <translation>{path}：{mechanism} 关注的是自身的词元，而键和值与查询不同</translation>
    </message>
</context>
<context>
    <name>attnviz/engine/attention/mods</name>
    <message>
        <source>; nearest: a = a + b</source>
        <translation>；最接近的：a = a + b</translation>
    </message>
    <message>
        <source>; nearest: a call of it with values, such as {name}(4)</source>
        <translation>；最接近的：带参数值的调用，例如 {name}(4)</translation>
    </message>
    <message>
        <source>; nearest: a comparison, such as q_idx &gt;= kv_idx</source>
        <translation>；最接近的：一个比较，例如 q_idx &gt;= kv_idx</translation>
    </message>
    <message>
        <source>; nearest: a tensor drawn outside, indexed by the arguments</source>
        <translation>；最接近的：在函数外生成张量，用参数索引它</translation>
    </message>
    <message>
        <source>; nearest: install it, or remove its import</source>
        <translation>；最接近的：安装它，或去掉这个 import</translation>
    </message>
    <message>
        <source>; nearest: raise ValueError with a message</source>
        <translation>；最接近的：抛出带有消息的 ValueError</translation>
    </message>
    <message>
        <source>; nearest: torch.where with three arguments</source>
        <translation>；最接近的：带三个参数的 torch.where</translation>
    </message>
    <message>
        <source>; nearest: {advice}</source>
        <translation>；最接近的：{advice}</translation>
    </message>
    <message>
        <source>an index is outside a captured tensor: {error}; the sizes here are {sizes}</source>
        <translation>索引超出了捕获的张量：{error}；这里的大小为 {sizes}</translation>
    </message>
    <message>
        <source>it ends the program (sys.exit)</source>
        <translation>它结束了程序（sys.exit）</translation>
    </message>
    <message>
        <source>its process ended ({code}); it exits, crashes or needs too much memory</source>
        <translation>它的进程已结束（{code}）；它退出、崩溃或需要太多内存</translation>
    </message>
    <message>
        <source>the function calls itself without end</source>
        <translation>函数无休止地调用自身</translation>
    </message>
    <message>
        <source>there is no function {name}</source>
        <translation>没有函数 {name}</translation>
    </message>
    <message>
        <source>there is no function {name}; the file has {known}</source>
        <translation>没有函数 {name}；文件中有 {known}</translation>
    </message>
    <message>
        <source>there is no module {module} in this environment</source>
        <translation>此环境中没有模块 {module}</translation>
    </message>
    <message>
        <source>there is not enough memory for it</source>
        <translation>内存不够</translation>
    </message>
    <message>
        <source>vmap computes all cells at once, so a tensor has no single value for "{construct}"</source>
        <translation>vmap 一次计算所有格子，所以张量没有可供“{construct}”使用的单个值</translation>
    </message>
    <message>
        <source>vmap computes all cells at once, so a tensor has no single value here</source>
        <translation>vmap 一次计算所有格子，所以张量在这里没有单个值</translation>
    </message>
    <message>
        <source>vmap forbids changing this tensor in place</source>
        <translation>vmap 不允许就地修改这个张量</translation>
    </message>
    <message>
        <source>vmap forbids random numbers in a mod</source>
        <translation>vmap 不允许在 mod 中使用随机数</translation>
    </message>
    <message>
        <source>vmap forbids results whose size depends on values, such as nonzero</source>
        <translation>vmap 不允许大小取决于数值的结果，例如 nonzero</translation>
    </message>
    <message>
        <source>while it is imported, {what}</source>
        <translation>导入时：{what}</translation>
    </message>
    <message>
        <source>{file} is Python code that was not allowed to run; read it first, then allow it (in a terminal: --allow-code)</source>
        <translation>{file} 是尚未允许运行的 Python 代码；请先阅读，然后允许它（在终端中：--allow-code）</translation>
    </message>
    <message>
        <source>{file}, line {line}: {what}</source>
        <translation>{file} 第 {line} 行：{what}</translation>
    </message>
    <message>
        <source>{name} has the parameters {signature}, so it is a {other}; a {kind} has {needed}</source>
        <translation>{name} 的参数是 {signature}，所以它是 {other}；{kind} 的参数是 {needed}</translation>
    </message>
    <message>
        <source>{name} has the parameters {signature}; a {kind} has {needed}</source>
        <translation>{name} 的参数是 {signature}；{kind} 的参数是 {needed}</translation>
    </message>
    <message>
        <source>{name} is of type {type}, not a function</source>
        <translation>{name} 的类型是 {type}，不是函数</translation>
    </message>
    <message>
        <source>{name} returns a tensor of shape {shape}; a {kind} returns one value per cell, of shape ()</source>
        <translation>{name} 返回形状为 {shape} 的张量；{kind} 对每个格子返回一个值，形状为 ()</translation>
    </message>
    <message>
        <source>{name} returns a value of type {type}, not a function</source>
        <translation>{name} 返回类型为 {type} 的值，不是函数</translation>
    </message>
    <message>
        <source>{name} returns a value of type {type}; a {kind} returns a tensor computed from its arguments</source>
        <translation>{name} 返回类型为 {type} 的值；{kind} 返回由其参数计算出的张量</translation>
    </message>
    <message>
        <source>{name} returns {dtype}; a mask_mod returns bool</source>
        <translation>{name} 返回 {dtype}；mask_mod 返回 bool</translation>
    </message>
    <message>
        <source>{name} returns {dtype}; a score_mod returns real numbers</source>
        <translation>{name} 返回 {dtype}；score_mod 返回实数</translation>
    </message>
    <message>
        <source>{name}{signature} cannot be called like this: {error}</source>
        <translation>{name}{signature} 不能这样调用：{error}</translation>
    </message>
    <message>
        <source>{name}{signature} makes a function, and is none itself</source>
        <translation>{name}{signature} 生成函数，它本身不是 mod</translation>
    </message>
</context>
<context>
    <name>attnviz/engine/model</name>
    <message>
        <source>; nearest: float32</source>
        <translation>；最接近的：float32</translation>
    </message>
    <message>
        <source>; nearest: float32, or fewer interventions</source>
        <translation>；最接近的：float32，或减少干预</translation>
    </message>
    <message>
        <source>; nearest: none</source>
        <translation>；最近的合法值：无</translation>
    </message>
    <message>
        <source>; nearest: temperature 1</source>
        <translation>；最接近的：温度 1</translation>
    </message>
    <message>
        <source>; nearest: the module before that</source>
        <translation>；最接近的：编译之前的模块</translation>
    </message>
    <message>
        <source>; nearest: {most} tokens</source>
        <translation>；最接近的：{most} 个词元</translation>
    </message>
    <message>
        <source>How this model computes its scores is not known: the weights are its own, and the stages before them are left out.</source>
        <translation>这个模型如何得到分数未知：权重是它自己的，其前的阶段略去。</translation>
    </message>
    <message>
        <source>Left out: {inputs}. The model reads the text alone.</source>
        <translation>略去：{inputs}。模型只读文本。</translation>
    </message>
    <message>
        <source>Mamba: no weights</source>
        <translation>Mamba：没有权重</translation>
    </message>
    <message>
        <source>Only the encoder is shown, not the decoder or its cross-attention: {why}.</source>
        <translation>只显示编码器，不显示解码器及其交叉注意力：{why}。</translation>
    </message>
    <message>
        <source>The folder has no head that predicts tokens: its decoder reads the target, and writes nothing.</source>
        <translation>此文件夹没有预测词元的头：其解码器读入目标文本，但不写出任何内容。</translation>
    </message>
    <message>
        <source>The keys and values of this layer are those of layer {layer}.</source>
        <translation>这一层的键和值取自第 {layer} 层。</translation>
    </message>
    <message>
        <source>This family does not use transformers' attention interface; its attention was found by its softmax.</source>
        <translation>这一系列的模型没有单独的注意力函数；注意力是由其 softmax 找到的。</translation>
    </message>
    <message>
        <source>This folder expects a chat: Chat wraps the text as a user's turn.</source>
        <translation>此文件夹期望对话：“对话”把文本包装为用户的一轮。</translation>
    </message>
    <message>
        <source>a model of the family {family} has no token embedding</source>
        <translation>{family} 族的模型没有词元嵌入</translation>
    </message>
    <message>
        <source>a model of the family {family} reads an image, and none is chosen</source>
        <translation>{family} 族的模型读取图像，但没有选择图像</translation>
    </message>
    <message>
        <source>a model of the family {family} takes {inputs}; this lab takes text</source>
        <translation>{family} 系列的模型接收 {inputs}；本实验室只接收文本</translation>
    </message>
    <message>
        <source>a part of this model's attention cannot be followed, so none is shown</source>
        <translation>这个模型的注意力有一部分无法跟踪，因此全部不显示</translation>
    </message>
    <message>
        <source>a shorter text or a smaller model needs less</source>
        <translation>较短的文本或较小的模型所需较少</translation>
    </message>
    <message>
        <source>a smaller model, or float16, needs less</source>
        <translation>较小的模型或 float16 占用更少</translation>
    </message>
    <message>
        <source>all heads of these layers are off, so there is no other set of as many</source>
        <translation>这些层的头全部关闭了，因此没有同样数目的其他头组</translation>
    </message>
    <message>
        <source>attention that could not be recorded</source>
        <translation>未能记录的注意力</translation>
    </message>
    <message>
        <source>attnviz failed to record this model, a defect of attnviz: {why}</source>
        <translation>attnviz 未能记录此模型，这是 attnviz 的缺陷：{why}</translation>
    </message>
    <message>
        <source>building the model that config.json describes takes {taken}</source>
        <translation>构建 config.json 所描述的模型需要{taken}</translation>
    </message>
    <message>
        <source>cannot read {file} in {folder}: {why}</source>
        <translation>无法读取 {folder} 中的 {file}：{why}</translation>
    </message>
    <message>
        <source>comparing with the model's own run</source>
        <translation>正在与模型自身的运行比较</translation>
    </message>
    <message>
        <source>config.json describes a model of many more parts than the {found} weights of the files</source>
        <translation>config.json 描述的模型的部件远多于文件中的 {found} 个权重</translation>
    </message>
    <message>
        <source>config.json describes a model of {wanted} numbers, but the files hold {found}: weights are missing</source>
        <translation>config.json 描述的模型有 {wanted} 个数，但文件中只有 {found} 个：缺少权重</translation>
    </message>
    <message>
        <source>convolution: no weights</source>
        <translation>卷积：没有权重</translation>
    </message>
    <message>
        <source>cross-attention: not run, there is nothing to attend to</source>
        <translation>交叉注意力：没有可注意的内容，未运行</translation>
    </message>
    <message>
        <source>feed-forward layer: no weights</source>
        <translation>前馈层：没有权重</translation>
    </message>
    <message>
        <source>fewer new tokens, a shorter text or a smaller model need less</source>
        <translation>减少新词元、缩短文本或换用较小的模型可节省内存</translation>
    </message>
    <message>
        <source>it has more than {most} entries</source>
        <translation>它的条目多于 {most} 个</translation>
    </message>
    <message>
        <source>it is longer than {most} characters</source>
        <translation>它长于 {most} 个字符</translation>
    </message>
    <message>
        <source>it is nested deeper than {most}</source>
        <translation>它的嵌套深于 {most} 层</translation>
    </message>
    <message>
        <source>it is {value}; at most {most}</source>
        <translation>它是 {value}；最多为 {most}</translation>
    </message>
    <message>
        <source>its header is too long</source>
        <translation>它所声明的超过了它能容纳的</translation>
    </message>
    <message>
        <source>its keys are not the numbers from 0 on</source>
        <translation>其键不是从 0 起的编号</translation>
    </message>
    <message>
        <source>its weights overlap, leave gaps or reach beyond its end</source>
        <translation>其中的权重有重叠、有空隙或超出文件末尾</translation>
    </message>
    <message>
        <source>linear attention: no weights</source>
        <translation>线性注意力：没有权重</translation>
    </message>
    <message>
        <source>more than {most}</source>
        <translation>超过 {most} 的内存</translation>
    </message>
    <message>
        <source>more than {most} seconds</source>
        <translation>超过 {most} 秒</translation>
    </message>
    <message>
        <source>no attention was seen in this model: it computed no softmax</source>
        <translation>在此模型中没有看到注意力：它没有计算 softmax</translation>
    </message>
    <message>
        <source>no head is off (ablated), so there is no set to compare with random ones</source>
        <translation>没有关闭（消融）任何头，因此没有可与随机头组比较的头组</translation>
    </message>
    <message>
        <source>opening a model needs the package transformers; {problem}</source>
        <translation>打开模型需要软件包 transformers；{problem}</translation>
    </message>
    <message>
        <source>pictures</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>recurrent block: no weights</source>
        <translation>循环块：没有权重</translation>
    </message>
    <message>
        <source>sound</source>
        <translation>声音</translation>
    </message>
    <message>
        <source>the attention of this model cannot be followed: it is not softmax(q · k) v over all its tokens</source>
        <translation>无法跟踪此模型的注意力：它不是对全部词元的 softmax(q · k) v</translation>
    </message>
    <message>
        <source>the decoder of this model is not run ({why}), so {name} has no effect</source>
        <translation>未运行此模型的解码器（{why}），因此 {name} 不起作用</translation>
    </message>
    <message>
        <source>the default device is meta, on which no tensor has values</source>
        <translation>默认设备是 meta，其上的张量没有值</translation>
    </message>
    <message>
        <source>the files list more than {most} weights, the most that can be opened</source>
        <translation>文件列出的权重超过 {most} 个，这是能打开的上限</translation>
    </message>
    <message>
        <source>the files of weights hold none</source>
        <translation>权重文件中没有权重</translation>
    </message>
    <message>
        <source>the model's output is not finite (NaN or infinite)</source>
        <translation>模型的输出不是有限数（NaN 或无穷）</translation>
    </message>
    <message>
        <source>the model's own code does not take a text alone: {why}</source>
        <translation>模型自己的代码不接受单独的文本：{why}</translation>
    </message>
    <message>
        <source>the model's own code failed on this text: {why}; its folder may not belong together</source>
        <translation>模型自身的代码在这段文本上失败：{why}；文件夹中的文件可能不属于同一个模型</translation>
    </message>
    <message>
        <source>the model's own code fails in {dtype}: {why}</source>
        <translation>模型自己的代码在 {dtype} 下失败：{why}</translation>
    </message>
    <message>
        <source>the package transformers cannot be loaded: {error}</source>
        <translation>无法加载软件包 transformers：{error}</translation>
    </message>
    <message>
        <source>the painted mask is {shape}; the model has {needed} cells</source>
        <translation>手绘掩码的形状为 {shape}；模型有 {needed} 格</translation>
    </message>
    <message>
        <source>the scores of this model are not known, so no temperature can divide them</source>
        <translation>此模型的分数未知，因此不能用温度去除</translation>
    </message>
    <message>
        <source>the shape and offsets of the weight {name} do not match</source>
        <translation>权重 {name} 的形状与位置不相符</translation>
    </message>
    <message>
        <source>the text has no tokens; type at least one word</source>
        <translation>文本没有词元；至少输入一个词</translation>
    </message>
    <message>
        <source>the text has {count} tokens, and this model reads at most {most}</source>
        <translation>文本有 {count} 个词元，而这个模型最多读 {most} 个</translation>
    </message>
    <message>
        <source>the weight {name} holds numbers that are not finite (NaN or infinite); choose another folder</source>
        <translation>权重 {name} 含有非有限数（NaN 或无穷）；请选择其他文件夹</translation>
    </message>
    <message>
        <source>the weight {name} is in two files: {files}</source>
        <translation>权重 {name} 在两个文件中：{files}</translation>
    </message>
    <message>
        <source>the weight {name} is {found} in the file, but {wanted} by config.json: they belong to different models</source>
        <translation>权重 {name} 在文件中是 {found}，而按 config.json 应是 {wanted}：两者属于不同的模型</translation>
    </message>
    <message>
        <source>the weights are quantised ({how}), which this lab cannot open; use the folder in {formats}</source>
        <translation>权重经过量化（{how}），本实验室无法打开；请使用 {formats} 格式的文件夹</translation>
    </message>
    <message>
        <source>the weights cannot be loaded: {error}</source>
        <translation>无法加载权重：{error}</translation>
    </message>
    <message>
        <source>the weights in {folder} are a pickle, which could run anything when it is read; if you trust it, transformers writes {file} instead, with the class it was made by in place of AutoModel: {remedy}</source>
        <translation>{folder} 中的权重是 pickle，读取时可能运行任何代码；若您信任它，transformers 可改写为 {file}，其中 AutoModel 换成生成它的类：{remedy}</translation>
    </message>
    <message>
        <source>the weights of this model are on the meta device and have no values; load them</source>
        <translation>此模型的权重在 meta 设备上，没有数值；请先加载权重</translation>
    </message>
    <message>
        <source>there is no folder {folder}; choose one that holds a model: {files}</source>
        <translation>没有文件夹 {folder}；请选择含有模型的文件夹：{files}</translation>
    </message>
    <message>
        <source>there is no head {head}: layer {layer} of this model has no attention ({what})</source>
        <translation>没有头 {head}：此模型的第 {layer} 层没有注意力（{what}）</translation>
    </message>
    <message>
        <source>there is no head {head}: side {side} has {layers} layers of {heads} heads</source>
        <translation>没有头 {head}：{side} 一侧有 {layers} 层，每层 {heads} 个头</translation>
    </message>
    <message>
        <source>there is no head {head}: this model has {layers} layers of {heads} heads</source>
        <translation>没有头 {head}：这个模型有 {layers} 层，每层 {heads} 个头</translation>
    </message>
    <message>
        <source>there is no head {head}: this model shows no {side} side</source>
        <translation>没有头 {head}：此模型没有 {side} 一侧</translation>
    </message>
    <message>
        <source>this model is no encoder-decoder, so {name} has no effect</source>
        <translation>此模型不是编码器-解码器，因此 {name} 不起作用</translation>
    </message>
    <message>
        <source>this model uses its attention weights in a way that rules out interventions</source>
        <translation>此模型使用权重的方式使权重无法更改</translation>
    </message>
    <message>
        <source>token {token} is not in the text, whose tokens are {first}..{last}</source>
        <translation>文本中没有词元 {token}，其词元为 {first}..{last}</translation>
    </message>
    <message>
        <source>token {token} is not in {where}, whose tokens are {first}..{last}</source>
        <translation>词元 {token} 不在 {where} 中，其词元为 {first}..{last}</translation>
    </message>
    <message>
        <source>token {token} of a patch is not in text B, which has {count} tokens and is shorter</source>
        <translation>替换所用的词元 {token} 不在文本 B 中：它较短，只有 {count} 个词元</translation>
    </message>
    <message>
        <source>torch.jit compiled this model, which hides its attention</source>
        <translation>此模型由 torch.jit 编译，其注意力无法看到</translation>
    </message>
    <message>
        <source>transformers can make no {family} model of {folder}: {error}</source>
        <translation>transformers 无法用 {folder} 构造 {family} 模型：{error}</translation>
    </message>
    <message>
        <source>transformers has no model of the family {family}</source>
        <translation>transformers 没有 {family} 系列的模型</translation>
    </message>
    <message>
        <source>transformers {version} has no family {family}, and code of a folder is never run{nearest}</source>
        <translation>transformers {version} 没有 {family} 系列，而文件夹中的代码从不运行{nearest}</translation>
    </message>
    <message>
        <source>videos</source>
        <translation>视频</translation>
    </message>
    <message>
        <source>weights under a temperature have no gradient</source>
        <translation>温度作用下的权重没有梯度</translation>
    </message>
    <message>
        <source>{file} has {size}; at most {most}</source>
        <translation>{file} 有 {size}；最多为 {most}</translation>
    </message>
    <message>
        <source>{file} holds no JSON object; copy it again</source>
        <translation>{file} 中没有 JSON 对象；请重新复制</translation>
    </message>
    <message>
        <source>{file} is not a complete weights file: {why}; copy it again</source>
        <translation>{file} 不是完整的权重文件：{why}；请重新复制</translation>
    </message>
    <message>
        <source>{file} says model_type {value}; it must name a family, such as bert</source>
        <translation>{file} 中 model_type 为 {value}；它必须是系列名，例如 bert</translation>
    </message>
    <message>
        <source>{folder} changed while it was read; open it again</source>
        <translation>{folder} 在读取时改变了；请重新打开</translation>
    </message>
    <message>
        <source>{folder} has no {file}</source>
        <translation>{folder} 中没有 {file}</translation>
    </message>
    <message>
        <source>{folder} has no {file}; choose the folder that holds the model itself</source>
        <translation>{folder} 中没有 {file}；请选择模型所在的文件夹</translation>
    </message>
    <message>
        <source>{folder} has no {file}; in Python, transformers writes it: {remedy}</source>
        <translation>{folder} 中没有 {file}；在 Python 中 transformers 可以生成它：{remedy}</translation>
    </message>
    <message>
        <source>{folder} holds {file}: an adapter (such as LoRA) of the model {base}, not that model; choose the folder of the model, or merge both and save them: {remedy}</source>
        <translation>{folder} 中是 {file}：模型 {base} 的适配器（如 LoRA），而不是该模型本身；请选择该模型的文件夹，或将两者合并后保存：{remedy}</translation>
    </message>
    <message>
        <source>{index} names the file {name}; it must name files of the folder itself that end in .safetensors</source>
        <translation>{index} 中有文件 {name}；只能是本文件夹中以 .safetensors 结尾的文件</translation>
    </message>
    <message>
        <source>{index} names {count} files; it must be 1 to {most}</source>
        <translation>{index} 中有 {count} 个文件；必须是 1 到 {most} 个</translation>
    </message>
    <message>
        <source>{key} in {file}: {why}</source>
        <translation>{file} 中的 {key}：{why}</translation>
    </message>
    <message>
        <source>{missing} of the model's {total} weights are missing in the files, {name} first</source>
        <translation>模型的 {total} 个权重中有 {missing} 个不在文件中，第一个是 {name}</translation>
    </message>
    <message>
        <source>{module} computes attention twice with the same queries and subtracts parts of the results (differential attention), so its weights are no single map</source>
        <translation>{module} 用相同的查询计算两次注意力，再将部分结果相减（差分注意力），因此它的权重不是单一的图</translation>
    </message>
    <message>
        <source>{module} computes its attention in one fused call ({function}), which gives no weights</source>
        <translation>{module} 在一次融合调用（{function}）中计算注意力，该调用不给出权重</translation>
    </message>
    <message>
        <source>{module} makes more than one attention map in a layer, so its weights are no single map</source>
        <translation>{module} 在一层中产生不止一张注意力图，因此它的权重不是单独一张图</translation>
    </message>
    <message>
        <source>{name}: no weights</source>
        <translation>{name}：没有权重</translation>
    </message>
</context>
<context>
    <name>attnviz/engine/model/generating</name>
    <message>
        <source>; nearest: 0 new tokens</source>
        <translation>；最接近：0 个新词元</translation>
    </message>
    <message>
        <source>; nearest: decoder_input_ids among the inputs</source>
        <translation>；最近的合法值：在输入中给出 decoder_input_ids</translation>
    </message>
    <message>
        <source>; nearest: generate=0</source>
        <translation>；最接近：generate=0</translation>
    </message>
    <message>
        <source>; nearest: one text</source>
        <translation>；最接近：一段文本</translation>
    </message>
    <message>
        <source>; nearest: the tokens without padding</source>
        <translation>；最接近：不含填充的词元</translation>
    </message>
    <message>
        <source>chosen has token {token} at step {step}, but the model knows those below {rows} only</source>
        <translation>chosen 在第 {step} 步选了词元 {token}，但模型只认识小于 {rows} 的词元</translation>
    </message>
    <message>
        <source>generate continues a text without padding</source>
        <translation>generate 续写不含填充的文本</translation>
    </message>
    <message>
        <source>generate continues one text, input_ids of shape (1, tokens), not {shape}</source>
        <translation>generate 续写一段文本，即形状为 (1, 词元数) 的 input_ids，而不是 {shape}</translation>
    </message>
    <message>
        <source>this model has no head that predicts the next token, so it cannot continue a text</source>
        <translation>此模型没有预测下一个词元的头，无法续写文本</translation>
    </message>
    <message>
        <source>this model reads at most {most} tokens, and the text has {tokens}, so it cannot continue with {new}</source>
        <translation>此模型最多读取 {most} 个词元，而文本已有 {tokens} 个，无法再续写 {new} 个</translation>
    </message>
    <message>
        <source>transformers refuses the values in {file}: {why}</source>
        <translation>transformers 拒绝 {file} 中的值：{why}</translation>
    </message>
    <message>
        <source>{file} says eos_token_id {value}; it must be a token, or a list of tokens</source>
        <translation>{file} 中的 eos_token_id 为 {value}；它必须是一个词元或词元列表</translation>
    </message>
    <message>
        <source>{module} cannot continue a text: it has no generate</source>
        <translation>{module} 不能续写文本：它没有 generate</translation>
    </message>
    <message>
        <source>{module} names no token that its decoder begins with</source>
        <translation>{module} 没有给出其解码器开头的词元</translation>
    </message>
</context>
<context>
    <name>attnviz/engine/model/images</name>
    <message>
        <source>16 bits of grey are read as 8.</source>
        <translation>16 位灰度按 8 位读取。</translation>
    </message>
    <message>
        <source>; nearest: a part of it</source>
        <translation>；最接近的可用做法：取其中一部分</translation>
    </message>
    <message>
        <source>; nearest: a smaller copy of it</source>
        <translation>；最接近的可用做法：用它的缩小版</translation>
    </message>
    <message>
        <source>; nearest: an image of {wide} × {high}</source>
        <translation>；最接近的可用值：{wide} × {high} 的图像</translation>
    </message>
    <message>
        <source>; nearest: false</source>
        <translation>；最接近的可用值：false</translation>
    </message>
    <message>
        <source>; nearest: no image</source>
        <translation>；最接近的可用值：不用图像</translation>
    </message>
    <message>
        <source>CMYK is converted to RGB, without its colour profile.</source>
        <translation>CMYK 已转换为 RGB，未用其颜色配置。</translation>
    </message>
    <message>
        <source>Only the first frame of the animation is read.</source>
        <translation>只读取动画的第一帧。</translation>
    </message>
    <message>
        <source>The folder has no {file}: the defaults of the family {family} prepare the image.</source>
        <translation>文件夹没有 {file}：图像按 {family} 族的默认设置准备。</translation>
    </message>
    <message>
        <source>The image is turned upright, as its file says.</source>
        <translation>图像已按文件所述转正。</translation>
    </message>
    <message>
        <source>Transparent parts are white.</source>
        <translation>透明部分为白色。</translation>
    </message>
    <message>
        <source>a number from 0 to 5</source>
        <translation>0 到 5 的数</translation>
    </message>
    <message>
        <source>a number other than 0, or three</source>
        <translation>一个非 0 的数，或三个</translation>
    </message>
    <message>
        <source>a number, or three</source>
        <translation>一个数，或三个</translation>
    </message>
    <message>
        <source>a smaller image needs less</source>
        <translation>较小的图像需要的更少</translation>
    </message>
    <message>
        <source>an image of {width} × {height} pixels has {count} patches; it must be 1 to {most}</source>
        <translation>{width} × {height} 像素的图像有 {count} 个图块；必须为 1 到 {most} 个</translation>
    </message>
    <message>
        <source>an image of {width} × {height} pixels is too narrow to be resized by its shorter edge</source>
        <translation>{width} × {height} 像素的图像太窄，无法按短边缩放</translation>
    </message>
    <message>
        <source>cannot read the image {file}: {why}</source>
        <translation>无法读取图像 {file}：{why}</translation>
    </message>
    <message>
        <source>far more</source>
        <translation>多得多的</translation>
    </message>
    <message>
        <source>height and width, of 1 to {most} pixels</source>
        <translation>height 和 width，1 到 {most} 像素</translation>
    </message>
    <message>
        <source>height and width, or shortest_edge, of 1 to {most} pixels</source>
        <translation>height 和 width，或 shortest_edge，1 到 {most} 像素</translation>
    </message>
    <message>
        <source>images are read by the families {known}, not by {family}{nearest}</source>
        <translation>读取图像的模型族是 {known}，不是 {family}{nearest}</translation>
    </message>
    <message>
        <source>in a model of the family {family} a patch attends only within its window, so no row covers the image; in Python, {remedy} shows a layer, with the windows as batch items</source>
        <translation>在 {family} 族的模型中，图块只在自己的窗口内注意，所以没有一行覆盖整幅图像；在 Python 中，{remedy} 可显示一层，窗口作为批次项</translation>
    </message>
    <message>
        <source>it must be 1 to {most} pixels</source>
        <translation>必须为 1 到 {most} 像素</translation>
    </message>
    <message>
        <source>the folder makes an image of {width} × {height} pixels, but its model reads {wide} × {high}</source>
        <translation>文件夹产生 {width} × {height} 像素的图像，但其模型读取 {wide} × {high}</translation>
    </message>
    <message>
        <source>the image {file} has {size} pixels; at most {side} on a side and {most} million in all are read</source>
        <translation>图像 {file} 有 {size} 像素；最多读取每边 {side} 像素，共 {most} 百万像素</translation>
    </message>
    <message>
        <source>the image {file} has {size}; at most {most}</source>
        <translation>图像 {file} 有 {size}；最多 {most}</translation>
    </message>
    <message>
        <source>the image {file} is broken: {why}; choose another one, or save it again</source>
        <translation>图像 {file} 已损坏：{why}；请选择另一幅，或重新保存</translation>
    </message>
    <message>
        <source>{file} is no {formats} image; choose one that is</source>
        <translation>{file} 不是 {formats} 图像；请选择这样的图像</translation>
    </message>
    <message>
        <source>{key} in {file} is true, a step that is not known here</source>
        <translation>{file} 中的 {key} 为 true，这里没有这一步</translation>
    </message>
    <message>
        <source>{key} in {file} is {value}; it must be {known}</source>
        <translation>{file} 中的 {key} 为 {value}；必须是{known}</translation>
    </message>
</context>
<context>
    <name>attnviz/engine/model/residual</name>
    <message>
        <source>; nearest: another one</source>
        <translation>；最接近的合法值：另一个词元</translation>
    </message>
    <message>
        <source>; nearest: the top token</source>
        <translation>；最接近的合法值：最可能的词元</translation>
    </message>
    <message>
        <source>; nearest: {token}</source>
        <translation>；最近的合法值：{token}</translation>
    </message>
    <message>
        <source>its residual state runs through the modules of its layers</source>
        <translation>其残差状态穿过各层的模块</translation>
    </message>
    <message>
        <source>no residual connections lead from its layers to its logits</source>
        <translation>没有残差连接从各层通向 logit</translation>
    </message>
    <message>
        <source>nothing is predicted here, so there is no logit; put a mask token, such as [MASK], into the text</source>
        <translation>这里没有预测，因此没有 logit；请在文本中放入掩码词元，例如 [MASK]</translation>
    </message>
    <message>
        <source>the heads of {name} were not seen</source>
        <translation>没有看到 {name} 的头</translation>
    </message>
    <message>
        <source>the layers of this model are not in one list, so none is followed</source>
        <translation>该模型的各层不在同一个列表中，因此无法逐层跟踪</translation>
    </message>
    <message>
        <source>the model {what} predicts no token at every position, so there is no lens</source>
        <translation>模型 {what} 并不在每个位置预测词元，因此没有 logit 透镜</translation>
    </message>
    <message>
        <source>the output projections of its heads are not known, or shared between layers</source>
        <translation>其头的输出投影未知，或由各层共用</translation>
    </message>
    <message>
        <source>the parts of this model do not sum to its logits ({why}), so none is shown</source>
        <translation>该模型各部分之和不等于其 logit（{why}），因此不予显示</translation>
    </message>
    <message>
        <source>the states after the layers of this model, or its head, cannot be found</source>
        <translation>找不到该模型各层之后的状态或其输出头</translation>
    </message>
    <message>
        <source>the two tokens are the same, {token}, so their difference is 0</source>
        <translation>两个词元相同（{token}），差为 0</translation>
    </message>
    <message>
        <source>there is no token {token}: this model's are 0..{last}</source>
        <translation>没有词元 {token}：此模型的词元为 0..{last}</translation>
    </message>
    <message>
        <source>they leave a rest of {rest} of the logit {logit}</source>
        <translation>在 logit {logit} 中留下余数 {rest}</translation>
    </message>
    <message>
        <source>this folder has no head that predicts tokens, so there is no logit</source>
        <translation>此文件夹没有预测词元的输出头，因此没有 logit</translation>
    </message>
    <message>
        <source>what follows its last layer is not linear</source>
        <translation>最后一层之后的部分不是线性的</translation>
    </message>
    <message>
        <source>“{asked}” is no token of this model</source>
        <translation>“{asked}”不是此模型的词元</translation>
    </message>
    <message>
        <source>“{asked}” is no token of this model, which reads it as {token}</source>
        <translation>“{asked}”不是该模型的词元，它把它读作 {token}</translation>
    </message>
    <message>
        <source>“{asked}” is {count} tokens of this model ({names})</source>
        <translation>“{asked}”在此模型中是 {count} 个词元（{names}）</translation>
    </message>
</context>
<context>
    <name>attnviz/engine/model/sides</name>
    <message>
        <source>forced_bos_token_id is {token}, but the model knows the tokens below {rows} only</source>
        <translation>forced_bos_token_id 为 {token}，但模型只认识 {rows} 以下的词元</translation>
    </message>
    <message>
        <source>the folder names no decoder_start_token_id and no bos_token_id, so its decoder cannot begin; name one in generation_config.json</source>
        <translation>文件夹既没有给出 decoder_start_token_id，也没有给出 bos_token_id，因此解码器无法开始；请在 generation_config.json 中给出一个</translation>
    </message>
    <message>
        <source>the folder's {name} is {token}, and the model knows the tokens below {rows} only</source>
        <translation>文件夹的 {name} 为 {token}，而模型只认识 {rows} 以下的词元</translation>
    </message>
    <message>
        <source>the target has {count} tokens, and this decoder reads at most {most}</source>
        <translation>目标文本有 {count} 个词元，而此解码器最多读入 {most} 个</translation>
    </message>
</context>
<context>
    <name>attnviz/engine/model/token_maps</name>
    <message>
        <source>in cross-attention, queries and keys are different texts, so there is no product</source>
        <translation>在交叉注意力中，查询和键属于不同的文本，所以没有乘积</translation>
    </message>
    <message>
        <source>no gradient reaches the weights of this model ({why})</source>
        <translation>没有梯度到达此模型的权重（{why}）</translation>
    </message>
    <message>
        <source>the values or output projections of this model are not known, nor their norms</source>
        <translation>此模型的值或输出投影未知，其范数也未知</translation>
    </message>
    <message>
        <source>there is no token {token}: the model has tokens 0..{last}</source>
        <translation>没有词元 {token}：模型的词元是 0..{last}</translation>
    </message>
    <message>
        <source>this model predicts no token, so there is no logit to follow</source>
        <translation>此模型不预测词元，所以没有可跟踪的 logit</translation>
    </message>
</context>
<context>
    <name>attnviz/engine/model/tokenizer</name>
    <message>
        <source>; nearest: chat off</source>
        <translation>；最接近：关闭对话</translation>
    </message>
    <message>
        <source>the chat template of this folder fails: {error}</source>
        <translation>此文件夹的对话模板失败：{error}</translation>
    </message>
    <message>
        <source>the text has a word that this model has no token for; it knows {count}, such as {some}</source>
        <translation>文本中有一个词，该模型没有对应的词元；它认识 {count} 个词元，例如 {some}</translation>
    </message>
    <message>
        <source>the tokenizer gives {token} the number {id}, but the model knows those below {rows} only</source>
        <translation>分词器给 {token} 的编号是 {id}，但模型只认识小于 {rows} 的编号</translation>
    </message>
    <message>
        <source>the tokenizer of this folder cannot be read: {error}</source>
        <translation>无法读取此文件夹的分词器：{error}</translation>
    </message>
    <message>
        <source>the tokenizer of this folder cannot decode these tokens: {error}</source>
        <translation>此文件夹的分词器无法解码这些词元：{error}</translation>
    </message>
    <message>
        <source>the tokenizer of this folder cannot tokenize this text: {error}</source>
        <translation>此文件夹的分词器无法拆分这段文本：{error}</translation>
    </message>
    <message>
        <source>the tokenizer of this folder makes {count} tokens of this text; at most {most} are read</source>
        <translation>此文件夹的分词器把这段文本分成 {count} 个词元；最多读取 {most} 个</translation>
    </message>
    <message>
        <source>this folder has no chat template</source>
        <translation>此文件夹没有对话模板</translation>
    </message>
</context>
<context>
    <name>attnviz/engine/regression</name>
    <message>
        <source>fewer training points or queries need less</source>
        <translation>减少训练点或查询可节省内存</translation>
    </message>
    <message>
        <source>formula '{formula}' is {value:.3g} at x = {x:.4g}; it must be a number of at most {most:g} in size there</source>
        <translation>公式 '{formula}' 在 x = {x:.4g} 处为 {value:.3g}；该处必须是绝对值不大于 {most:g} 的数</translation>
    </message>
    <message>
        <source>leave-one-out needs at least 2 training points, not {points}</source>
        <translation>留一法至少需要 2 个训练点，而不是 {points} 个</translation>
    </message>
    <message>
        <source>training diverged at step {step} (loss {loss:.4g}, w {w:.4g}); try a learning rate below {rate:g}</source>
        <translation>训练在第 {step} 步发散，出现非有限数（损失 {loss:.4g}，w {w:.4g}）；可把学习率降到 {rate:g} 以下</translation>
    </message>
</context>
<context>
    <name>attnviz/engine/sweeps</name>
    <message>
        <source>; nearest: one worker</source>
        <translation>；最接近的：一个进程</translation>
    </message>
    <message>
        <source>; nearest: one worker, which is this process</source>
        <translation>；最接近的：一个进程，即本进程</translation>
    </message>
    <message>
        <source>a worker cannot compute runs of attnviz {version}: {why}</source>
        <translation>一个工作进程不能计算 attnviz {version} 的运行：{why}</translation>
    </message>
    <message>
        <source>a worker has {theirs} and this machine {ours}; the numbers of one table need the same versions</source>
        <translation>一个工作进程是 {theirs}，本机是 {ours}；一张表中的数需要相同的版本</translation>
    </message>
    <message>
        <source>no scheduler of Dask answers at {address}: {why}</source>
        <translation>{address} 处没有 Dask 的调度器应答：{why}</translation>
    </message>
    <message>
        <source>several workers need Dask ({why}): pip install 'attnviz[cluster]'</source>
        <translation>多个工作进程需要 Dask（{why}）：pip install 'attnviz[cluster]'</translation>
    </message>
    <message>
        <source>the run repeatedly killed its worker: it needs too much memory, or it does not stop</source>
        <translation>这次运行一再使工作进程终止：它需要的内存太多，或者停不下来</translation>
    </message>
    <message>
        <source>the run took longer than {limit} s</source>
        <translation>这次运行超过了 {limit} 秒</translation>
    </message>
    <message>
        <source>the scheduler has no worker now; the sweep waits for one</source>
        <translation>调度器现在没有工作进程；扫描等待其出现</translation>
    </message>
    <message>
        <source>the scheduler is gone; the same command resumes with the remaining runs</source>
        <translation>调度器已经消失；用同一命令可以继续余下的运行</translation>
    </message>
    <message>
        <source>the workers cannot be started: {why}</source>
        <translation>无法启动工作进程：{why}</translation>
    </message>
</context>
<context>
    <name>attnviz/engine/train</name>
    <message>
        <source>fewer layers, a smaller hidden size, fewer tokens or a smaller batch need less</source>
        <translation>减少层数、隐藏单元数、词元数或批量可节省内存</translation>
    </message>
    <message>
        <source>the session's trained model predicts no finite number after step {step}: the file was modified; train it anew</source>
        <translation>会话中训练过的模型在第 {step} 步之后给出的预测不是有限数：文件被改动过；重新训练</translation>
    </message>
    <message>
        <source>training diverged at step {step} (loss {loss:.4g}) after resuming from the session's model; train it anew, or with a learning rate below {rate:g}</source>
        <translation>从会话中的模型继续训练，在第 {step} 步发散，出现非有限数（损失 {loss:.4g}）；重新训练，或把学习率降到 {rate:g} 以下</translation>
    </message>
    <message>
        <source>training diverged at step {step} (loss {loss:.4g}); try a learning rate below {rate:g}</source>
        <translation>训练在第 {step} 步发散，出现非有限数（损失 {loss:.4g}）；可把学习率降到 {rate:g} 以下</translation>
    </message>
</context>
<context>
    <name>attnviz/experiment</name>
    <message>
        <source>, {count} not a number</source>
        <translation>，{count} 行不是数（NaN）</translation>
    </message>
    <message>
        <source>, {count} of {rows} empty</source>
        <translation>，{rows} 行中有 {count} 行为空</translation>
    </message>
    <message>
        <source>; nearest step: {nearest}</source>
        <translation>；最接近的步长：{nearest}</translation>
    </message>
    <message>
        <source>; nearest: 1</source>
        <translation>；最接近的：1</translation>
    </message>
    <message>
        <source>; nearest: one of them</source>
        <translation>；最接近的：只留其中一条</translation>
    </message>
    <message>
        <source>; nearest: the lab {others}</source>
        <translation>；最接近的：实验室 {others}</translation>
    </message>
    <message>
        <source>; nearest: {able}</source>
        <translation>；最接近的合法值：{able}</translation>
    </message>
    <message>
        <source>; nearest: {near}</source>
        <translation>；最接近的：{near}</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批量</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Empty rows</source>
        <translation>空行</translation>
    </message>
    <message>
        <source>File ...</source>
        <translation>文件 ...</translation>
    </message>
    <message>
        <source>Heads off</source>
        <translation>关闭的头</translation>
    </message>
    <message>
        <source>Hidden</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>How long the module took, or the last step of a training</source>
        <translation>模块所用的时间，或训练最后一步所用的时间</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Milliseconds</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Optimiser</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Precision (dtype) the model computes in.</source>
        <translation>模型计算所用的数值格式。</translation>
    </message>
    <message>
        <source>Random weights</source>
        <translation>随机权重</translation>
    </message>
    <message>
        <source>Which experiment this is.</source>
        <translation>这是哪个实验。</translation>
    </message>
    <message>
        <source>a value cannot be read: {error}</source>
        <translation>有一个值无法读取：{error}</translation>
    </message>
    <message>
        <source>lab {said} must be one of {labs}{near}</source>
        <translation>lab {said} 必须是 {labs} 之一{near}</translation>
    </message>
    <message>
        <source>last hidden states</source>
        <translation>最后的隐状态</translation>
    </message>
    <message>
        <source>last hidden states and weights</source>
        <translation>最后的隐状态与权重</translation>
    </message>
    <message>
        <source>logits</source>
        <translation>logit</translation>
    </message>
    <message>
        <source>logits and weights</source>
        <translation>logit 与权重</translation>
    </message>
    <message>
        <source>no row has a valid key</source>
        <translation>没有一行有有效的键</translation>
    </message>
    <message>
        <source>not what the model computes: {what} differ by up to {difference}</source>
        <translation>并非模型所计算的：{what}最多相差 {difference}</translation>
    </message>
    <message>
        <source>off: {heads}</source>
        <translation>已关闭：{heads}</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>outputs and weights</source>
        <translation>输出与权重</translation>
    </message>
    <message>
        <source>rows sum to {sum}</source>
        <translation>行和为 {sum}</translation>
    </message>
    <message>
        <source>run {ms} ms</source>
        <translation>运行 {ms} ms</translation>
    </message>
    <message>
        <source>run {seconds} s</source>
        <translation>运行 {seconds} 秒</translation>
    </message>
    <message>
        <source>seed {seed}</source>
        <translation>种子 {seed}</translation>
    </message>
    <message>
        <source>stage {said} must be one of {stages}{near}</source>
        <translation>stage {said} 必须是 {stages} 之一{near}</translation>
    </message>
    <message>
        <source>the lab {lab} has no arrays of single layers; leave out 'layers'</source>
        <translation>实验室 {lab} 没有单层的数组；去掉 'layers'</translation>
    </message>
    <message>
        <source>this is not JSON: it is nested too deep</source>
        <translation>这不是 JSON：嵌套太深</translation>
    </message>
    <message>
        <source>this is not JSON: {why}</source>
        <translation>这不是 JSON：{why}</translation>
    </message>
    <message>
        <source>without 'lab' a spec belongs to {first}, but its fields belong to {other}</source>
        <translation>没有 'lab' 的设定属于 {first}，但其中的字段属于 {other}</translation>
    </message>
    <message numerus="yes">
        <source>{count} rows are not a number</source>
        <extracomment>one: 1 row is not a number</extracomment>
        <translation><numerusform>{count} 行不是数（NaN）</numerusform></translation>
    </message>
    <message>
        <source>{name} is given twice; only one value can count</source>
        <translation>{name} 给了两次；只能有一个值</translation>
    </message>
    <message>
        <source>{path} has no {file}, so it is not a model folder</source>
        <translation>{path} 中没有 {file}，因此不是模型文件夹</translation>
    </message>
    <message>
        <source>{said} cannot be added to a run of the lab {lab}</source>
        <translation>{said} 不能加到实验室 {lab} 的运行里</translation>
    </message>
    <message>
        <source>{said} cannot be added to a run; it must be one of {known}{near}</source>
        <translation>{said} 不能加到运行里，必须是 {known} 之一{near}</translation>
    </message>
    <message>
        <source>{said} has no number for each run of a sweep</source>
        <translation>{said} 没有扫描中每次运行的数</translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/attention</name>
    <message>
        <source> (head {head})</source>
        <translation>（第 {head} 个头）</translation>
    </message>
    <message>
        <source> (item {item})</source>
        <translation>（第 {item} 个样本）</translation>
    </message>
    <message>
        <source> (item {item}, head {head})</source>
        <translation>（第 {item} 个样本，第 {head} 个头）</translation>
    </message>
    <message>
        <source>; nearest: a file in UTF-8</source>
        <translation>；最接近：UTF-8 文件</translation>
    </message>
    <message>
        <source>; nearest: file</source>
        <translation>；最接近的：file</translation>
    </message>
    <message>
        <source>; nearest: leave it out</source>
        <translation>；最接近的：略去</translation>
    </message>
    <message>
        <source>; nearest: leave out {other}</source>
        <translation>；最接近的：略去 {other}</translation>
    </message>
    <message>
        <source>; nearest: leave out {second}</source>
        <translation>；最接近的：略去{second}</translation>
    </message>
    <message>
        <source>; nearest: one sentence</source>
        <translation>；最接近的：一个句子</translation>
    </message>
    <message>
        <source>; nearest: {count}</source>
        <translation>；最接近的：{count}</translation>
    </message>
    <message>
        <source>; nearest: {key_size}</source>
        <translation>；最接近的：{key_size}</translation>
    </message>
    <message>
        <source>; nearest: {num_queries}</source>
        <translation>；最接近的：{num_queries}</translation>
    </message>
    <message>
        <source>; nearest: {queries} and {keys}</source>
        <translation>；最接近的：{queries} 和 {keys}</translation>
    </message>
    <message>
        <source>; nearest: {query_size}</source>
        <translation>；最接近的：{query_size}</translation>
    </message>
    <message>
        <source>; the sink takes the rest</source>
        <translation>；其余归汇（sink）</translation>
    </message>
    <message>
        <source>; {low} .. {high} after dropout</source>
        <translation>；暂退法后为 {low} .. {high}</translation>
    </message>
    <message>
        <source>A mask_mod and a score_mod of FlexAttention from a Python file; they act beside the other masks and steps.</source>
        <translation>Python 文件中 FlexAttention 的 mask_mod 和 score_mod；与其他掩码和步骤一同起作用。</translation>
    </message>
    <message>
        <source>A query may attend to earlier keys, but not to itself: was &gt;= meant?</source>
        <translation>查询可以关注更早的键，却不能关注自身：本意是 &gt;= 吗？</translation>
    </message>
    <message>
        <source>A row with no valid key (empty row): zero gives weights of 0, book fills with -1e6 (a uniform row), inf gives NaN.</source>
        <translation>没有有效键的行：zero 使权重为 0，book 用 -1e6 填充（整行均匀），inf 得到 NaN。</translation>
    </message>
    <message>
        <source>All ones</source>
        <translation>全 1</translation>
    </message>
    <message>
        <source>All tokens {shift} positions later: no score changes (the largest difference of {count} is {largest}), since only distances count.</source>
        <translation>所有词元后移 {shift} 个位置：没有分数改变（{count} 个中最大的差为 {largest}），因为只有距离起作用。</translation>
    </message>
    <message>
        <source>All tokens {shift} positions later: scores change by up to {largest} (of {count}), since positions are added to the inputs.</source>
        <translation>所有词元后移 {shift} 个位置：分数最多改变 {largest}（共 {count} 个），因为位置编码加在输入上。</translation>
    </message>
    <message>
        <source>All-ones inputs</source>
        <translation>全 1 输入</translation>
    </message>
    <message>
        <source>Chance that a weight is dropped in training.</source>
        <translation>训练时权重被丢弃的概率。</translation>
    </message>
    <message>
        <source>Choose a function of the file; none acts yet.</source>
        <translation>请选择文件中的一个函数；目前没有函数起作用。</translation>
    </message>
    <message>
        <source>Columns of the weights: key-value pairs.</source>
        <translation>权重的列：键值对。</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Decides every random number of the run.</source>
        <translation>决定本次运行的全部随机数。</translation>
    </message>
    <message>
        <source>Divide the scores by √d, so the softmax stays soft as d grows.</source>
        <translation>分数除以 √d，使 softmax 不随 d 增大而变尖锐。</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>暂退法</translation>
    </message>
    <message>
        <source>Each clause of the mask, what is unusual about it, and the blocks that a kernel can skip</source>
        <translation>掩码的每个子句、其中不寻常之处，以及内核可以跳过的块</translation>
    </message>
    <message>
        <source>Edit {name}</source>
        <translation>编辑 {name}</translation>
    </message>
    <message>
        <source>Empty row</source>
        <translation>空行</translation>
    </message>
    <message>
        <source>Every query may attend to every key.</source>
        <translation>每个查询都可以关注每个键。</translation>
    </message>
    <message>
        <source>Features of an input key; empty is the hidden size.</source>
        <translation>输入键的特征数；留空则等于隐藏单元数。</translation>
    </message>
    <message>
        <source>Features of an input query; empty is the hidden size.</source>
        <translation>输入查询的特征数；留空则等于隐藏单元数。</translation>
    </message>
    <message>
        <source>Features of an input value; empty is the hidden size.</source>
        <translation>输入值的特征数；留空则等于隐藏单元数。</translation>
    </message>
    <message>
        <source>Features {first} and {second} are turned by {q} and {k} rad: {between} rad apart.</source>
        <translation>特征 {first} 和 {second} 分别旋转 {q} 和 {k} 弧度：相差 {between} 弧度。</translation>
    </message>
    <message>
        <source>Features {first} and {second} of their positions have angles of {q} and {k} rad: {between} rad apart.</source>
        <translation>它们的位置编码的特征 {first} 和 {second} 的角度为 {q} 和 {k} 弧度：相差 {between} 弧度。</translation>
    </message>
    <message>
        <source>Functions</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Further masks</source>
        <translation>其他掩码</translation>
    </message>
    <message>
        <source>Given weights are read from a file, .npz or .npy.</source>
        <translation>给定的权重从 .npz 或 .npy 文件读取。</translation>
    </message>
    <message>
        <source>Half precision: mask and softmax in float32. Off, -1e6 is -inf in float16.</source>
        <translation>半精度：掩码与 softmax 用 float32 计算。关闭时，-1e6 在 float16 中就是 -inf。</translation>
    </message>
    <message>
        <source>How many heads share the hidden size; each gets hidden / heads features.</source>
        <translation>多少个头分享隐藏单元；每个头得到 隐藏 / 头数 个特征。</translation>
    </message>
    <message>
        <source>How many heads the keys and values have, each shared by a group of heads (grouped-query attention); 1 is multi-query attention.</source>
        <translation>键和值有多少个头，每个由一组头共用（分组查询注意力）；1 就是多查询注意力。</translation>
    </message>
    <message>
        <source>Identity</source>
        <translation>单位矩阵</translation>
    </message>
    <message>
        <source>In self-attention a sentence attends to itself</source>
        <translation>自注意力中句子关注自身</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Inputs of the file</source>
        <translation>文件中的输入</translation>
    </message>
    <message>
        <source>It acts in train mode only, which is off.</source>
        <translation>只在训练时起作用，而训练模式已关闭。</translation>
    </message>
    <message>
        <source>It changes nothing: the other clauses allow all that it allows.</source>
        <translation>它没有作用：它允许的单元格，其他子句全都允许。</translation>
    </message>
    <message>
        <source>It changes nothing: the other clauses forbid all that it forbids.</source>
        <translation>它没有作用：它禁止的单元格，其他子句全都禁止。</translation>
    </message>
    <message>
        <source>It depends on kv_idx only: every query has the same keys, as with padding.</source>
        <translation>它只取决于 kv_idx：每个查询的键都相同，填充掩码就是这样。</translation>
    </message>
    <message>
        <source>It depends on q_idx only: it gives queries all keys.</source>
        <translation>它只取决于 q_idx：它让一些查询可以关注所有键。</translation>
    </message>
    <message>
        <source>It depends on q_idx only: was kv_idx meant?</source>
        <translation>它只取决于 q_idx：本意是 kv_idx 吗？</translation>
    </message>
    <message>
        <source>It is false everywhere and changes nothing.</source>
        <translation>它处处为假，没有作用。</translation>
    </message>
    <message>
        <source>It is false everywhere, so all is masked.</source>
        <translation>它处处为假，因此全部被掩蔽。</translation>
    </message>
    <message>
        <source>It is true everywhere and changes nothing.</source>
        <translation>它处处为真，没有作用。</translation>
    </message>
    <message>
        <source>It is true everywhere, so nothing is masked.</source>
        <translation>它处处为真，因此什么都没有被掩蔽。</translation>
    </message>
    <message>
        <source>Key size</source>
        <translation>键大小</translation>
    </message>
    <message>
        <source>Key-value heads</source>
        <translation>键值头</translation>
    </message>
    <message>
        <source>Masks without a field of their own, by name.</source>
        <translation>没有专门字段的掩码，按名称列出。</translation>
    </message>
    <message>
        <source>Mechanism</source>
        <translation>机制</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>No query may attend to an earlier key, only to later ones: are q_idx and kv_idx swapped?</source>
        <translation>没有查询可以关注更早的键，只能关注更晚的键：q_idx 和 kv_idx 写反了吗？</translation>
    </message>
    <message>
        <source>No query may attend to any key.</source>
        <translation>没有查询可以关注任何键。</translation>
    </message>
    <message>
        <source>No query may attend to itself.</source>
        <translation>没有查询可以关注自身。</translation>
    </message>
    <message>
        <source>No query may attend to {count} keys: {rows}{where}.</source>
        <translation>有 {count} 个键没有查询可以关注：{rows}{where}。</translation>
    </message>
    <message>
        <source>Number of items in the batch.</source>
        <translation>一次运行的样本数。</translation>
    </message>
    <message>
        <source>One set of tokens serves as queries, keys and values.</source>
        <translation>同一组词元兼作查询、键和值。</translation>
    </message>
    <message>
        <source>One-hot inputs</source>
        <translation>独热输入</translation>
    </message>
    <message>
        <source>Paint the mask</source>
        <translation>绘制掩码</translation>
    </message>
    <message>
        <source>Precision (dtype) the module computes in.</source>
        <translation>模块计算所用的数值格式。</translation>
    </message>
    <message>
        <source>Projections of queries, keys and values have a bias.</source>
        <translation>查询、键和值的投影带偏置。</translation>
    </message>
    <message>
        <source>Query size</source>
        <translation>查询大小</translation>
    </message>
    <message>
        <source>Query {query} and key {key}, at distance {distance}, have the score {score}.</source>
        <translation>查询 {query} 与键 {key} 相距 {distance}，分数为 {score}。</translation>
    </message>
    <message>
        <source>Random embeddings</source>
        <translation>随机嵌入</translation>
    </message>
    <message>
        <source>Random inputs</source>
        <translation>随机输入</translation>
    </message>
    <message>
        <source>Rows of the weights: the queries.</source>
        <translation>权重的行：谁在看。</translation>
    </message>
    <message>
        <source>Rows with no valid key (empty rows) under each policy, side by side</source>
        <translation>没有有效键的行在各策略下的结果，并排显示</translation>
    </message>
    <message>
        <source>Scaled by √d</source>
        <translation>按 √d 缩放</translation>
    </message>
    <message>
        <source>Score steps</source>
        <translation>分数处理</translation>
    </message>
    <message>
        <source>Scores are divided by it: small is sharp, large is even.</source>
        <translation>分数除以它：小则尖锐，大则均匀。</translation>
    </message>
    <message>
        <source>Sentences only</source>
        <translation>仅用于句子</translation>
    </message>
    <message>
        <source>Settings of the module</source>
        <translation>模块的旋钮</translation>
    </message>
    <message>
        <source>Settings that only this module has.</source>
        <translation>此模块独有的数值。</translation>
    </message>
    <message>
        <source>Shift the whole sentence to see what depends on where it stands.</source>
        <translation>移动整个句子，看看什么取决于它所在的位置。</translation>
    </message>
    <message>
        <source>Size of the projected queries, keys and values, all heads together.</source>
        <translation>投影后的查询、键和值的大小，所有头合计。</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Steps applied to the scores before the mask and in the softmax.</source>
        <translation>在掩码之前和 softmax 之中对分数的处理。</translation>
    </message>
    <message>
        <source>Table with a row for each distance</source>
        <translation>每个距离一行的表格</translation>
    </message>
    <message>
        <source>The mask depends on kv_idx only: every query has the same keys, as with padding.</source>
        <translation>掩码只取决于 kv_idx：每个查询的键都相同，填充掩码就是这样。</translation>
    </message>
    <message>
        <source>The mask depends on q_idx only: was kv_idx meant?</source>
        <translation>掩码只取决于 q_idx：本意是 kv_idx 吗？</translation>
    </message>
    <message>
        <source>The {copies} heads have {count} different masks; they differ in {cells} of {all} cells.</source>
        <translation>{copies} 个头有 {count} 种不同的掩码，在 {all} 个单元格中的 {cells} 个上不同。</translation>
    </message>
    <message>
        <source>The {copies} items have {count} different masks; they differ in {cells} of {all} cells.</source>
        <translation>{copies} 个样本有 {count} 种不同的掩码，在 {all} 个单元格中的 {cells} 个上不同。</translation>
    </message>
    <message>
        <source>Tokens the causal module's mask buffer is made for (also called block size).</source>
        <translation>因果模块的掩码缓冲区所容纳的词元数（也称 block size）。</translation>
    </message>
    <message>
        <source>Train mode: dropout acts. Off is eval mode.</source>
        <translation>训练模式：暂退法起作用。关闭则为评估模式。</translation>
    </message>
    <message>
        <source>Two sentences</source>
        <translation>两个句子</translation>
    </message>
    <message>
        <source>Upcast</source>
        <translation>提升精度</translation>
    </message>
    <message>
        <source>Valid length {length} is not in 0..{num_kvpairs}, the number of keys</source>
        <translation>有效长度 {length} 不在 0..{num_kvpairs}（键的个数）内</translation>
    </message>
    <message>
        <source>Valid length {wrong} must be a whole number</source>
        <translation>有效长度 {wrong} 必须是整数</translation>
    </message>
    <message>
        <source>Value size</source>
        <translation>值大小</translation>
    </message>
    <message>
        <source>What positions do to a score: over distance, in pairs of features, and after a shift of the sentence</source>
        <translation>位置对分数的作用：随距离、在成对的特征中，以及移动整个句子之后</translation>
    </message>
    <message>
        <source>Where queries, keys and values come from.</source>
        <translation>查询、键和值从哪里来。</translation>
    </message>
    <message>
        <source>Whether sinusoidal positions (Vaswani et al. 2017) are added to the inputs; by default, to sentences only.</source>
        <translation>是否给输入加上正弦位置编码（Vaswani 等，2017）；默认只加给句子。</translation>
    </message>
    <message>
        <source>Which attention module computes the weights; given ones were computed by another model and come from a file.</source>
        <translation>由哪个注意力模块计算权重；给定的权重由其他模型算出，从文件读取。</translation>
    </message>
    <message>
        <source>Write a mask and a change of the scores yourself, as for FlexAttention, and see all heads follow</source>
        <translation>像 FlexAttention 那样自己编写掩码和分数的改变，看所有头随之变化</translation>
    </message>
    <message>
        <source>Your arrays</source>
        <translation>你的数组</translation>
    </message>
    <message>
        <source>a sentence attends to itself; turn self_attention on</source>
        <translation>句子关注的是自身；打开 self_attention</translation>
    </message>
    <message>
        <source>as heads</source>
        <translation>与头相同</translation>
    </message>
    <message>
        <source>as hidden</source>
        <translation>同隐藏</translation>
    </message>
    <message>
        <source>document_lens has a {what} of {size}, which must be at most {most}</source>
        <translation>document_lens 的 {what} 为 {size}，必须不大于 {most}</translation>
    </message>
    <message>
        <source>document_lens must be null or whole numbers above 0, such as 4, 3, 3, not {said}</source>
        <translation>document_lens 必须是 null 或大于 0 的整数，如 4, 3, 3，而不是 {said}</translation>
    </message>
    <message>
        <source>each sentence needs a word; type at least one</source>
        <translation>每个句子都要有词；请至少输入一个</translation>
    </message>
    <message>
        <source>eval</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>eval: dropout does nothing</source>
        <translation>评估：暂退法不起作用</translation>
    </message>
    <message>
        <source>given weights are read from a file, and the source is '{kind}'; choose Source: File</source>
        <translation>给定的权重从文件读取，而来源是 '{kind}'；选择“来源：文件”</translation>
    </message>
    <message>
        <source>given, {dtype}</source>
        <translation>给定，{dtype}</translation>
    </message>
    <message>
        <source>mechanism_knobs {said} must be an object with a number for each setting</source>
        <translation>mechanism_knobs {said} 必须是对象，每个旋钮对应一个数</translation>
    </message>
    <message>
        <source>num_kvpairs {num_kvpairs} must equal num_queries {num_queries} in self-attention</source>
        <translation>自注意力中 num_kvpairs {num_kvpairs} 必须等于 num_queries {num_queries}</translation>
    </message>
    <message>
        <source>num_queries {num_queries} and num_kvpairs {num_kvpairs} in a batch of {batch_size} are not the sentences' {queries} and {keys} tokens in a batch of 1</source>
        <translation>批量 {batch_size} 中的 num_queries {num_queries} 和 num_kvpairs {num_kvpairs} 不是两个句子在批量 1 中的 {queries} 和 {keys} 个词元</translation>
    </message>
    <message>
        <source>num_queries {num_queries} in a batch of {batch_size} is not the sentence's {count} tokens in a batch of 1</source>
        <translation>批量 {batch_size}、num_queries {num_queries} 与句子不符：句子有 {count} 个词元，批量为 1</translation>
    </message>
    <message>
        <source>query_size {query_size}, key_size {key_size} and value_size {value_size} must be equal in self-attention</source>
        <translation>自注意力中 query_size {query_size}、key_size {key_size} 和 value_size {value_size} 必须相等</translation>
    </message>
    <message>
        <source>read {ms} ms</source>
        <translation>读取 {ms} ms</translation>
    </message>
    <message>
        <source>score_steps.{name} and score_steps.{other} both make the weights of a row</source>
        <translation>score_steps.{name} 和 score_steps.{other} 都要生成一行的权重</translation>
    </message>
    <message>
        <source>score_steps.{name} changes the vectors of a dot product, which the scores of the module {mechanism} are not</source>
        <translation>score_steps.{name} 改变点积的向量，而模块 {mechanism} 的分数不是点积</translation>
    </message>
    <message>
        <source>self_attention is on, and one sentence attends to another</source>
        <translation>self_attention 已打开，而一个句子关注另一个</translation>
    </message>
    <message>
        <source>starting the process of your functions</source>
        <translation>正在启动您的函数的进程</translation>
    </message>
    <message>
        <source>the file {path} cannot be read: {why}</source>
        <translation>无法读取文件 {path}：{why}</translation>
    </message>
    <message>
        <source>the sentence has no word; type at least one</source>
        <translation>句子中没有词；至少输入一个</translation>
    </message>
    <message>
        <source>train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>train: dropout on</source>
        <translation>训练：暂退法开启</translation>
    </message>
    <message>
        <source>valid length {length} is not in 0..{num_kvpairs}, the number of keys</source>
        <translation>有效长度 {length} 不在 0..{num_kvpairs}（键的个数）内</translation>
    </message>
    <message>
        <source>valid_lens has a row of {columns} lengths for {num_queries} queries; needed {num_queries}</source>
        <translation>valid_lens 有一行含 {columns} 个长度，而查询有 {num_queries} 个；应有 {num_queries} 个</translation>
    </message>
    <message>
        <source>valid_lens has {rows} entries for a batch of {batch_size}; needed {batch_size}</source>
        <translation>valid_lens 有 {rows} 项，而批量为 {batch_size}；应有 {batch_size} 项</translation>
    </message>
    <message>
        <source>valid_lens has {rows} entries; a batch has at most {most}</source>
        <translation>valid_lens 有 {rows} 项；批量最大为 {most}</translation>
    </message>
    <message>
        <source>valid_lens must be null, a list of whole numbers (one per batch item) or a list of such lists (one per query), not {said}</source>
        <translation>valid_lens 必须是 null、整数列表（每个样本一个）或由这种列表组成的列表（每个查询一个），而不是 {said}</translation>
    </message>
    <message>
        <source>value_size {value_size} must equal key_size {key_size} where keys and values are one sentence</source>
        <translation>键和值是同一个句子时，value_size {value_size} 必须等于 key_size {key_size}</translation>
    </message>
    <message>
        <source>{count} rows at the edge have other than {usual} keys, as with a window: {rows}{where}.</source>
        <translation>边缘有 {count} 行的键数不是 {usual} 个，窗口掩码就是这样：{rows}{where}。</translation>
    </message>
    <message>
        <source>{count} rows have keys, but not their own: {rows}{where}.</source>
        <translation>有 {count} 行有键可关注，但不包括自身：{rows}{where}。</translation>
    </message>
    <message>
        <source>{count} rows have no key: {rows}{where}.</source>
        <translation>有 {count} 行没有任何键：{rows}{where}。</translation>
    </message>
    <message>
        <source>{count} rows have other than {usual} keys, unlike most: {rows}{where}.</source>
        <translation>有 {count} 行的键数不是 {usual} 个，与大多数行不同：{rows}{where}。</translation>
    </message>
    <message>
        <source>{name} holds Python functions, which the attention lab takes.</source>
        <translation>{name} 含有 Python 函数，由注意力实验室接收。</translation>
    </message>
    <message>
        <source>{name} holds arrays, which the attention lab takes.</source>
        <translation>{name} 含有数组，应由注意力实验室打开。</translation>
    </message>
    <message>
        <source>{name} in float16</source>
        <translation>{name}，float16</translation>
    </message>
    <message>
        <source>{path} has more than {most} characters</source>
        <translation>{path} 超过 {most} 个字符</translation>
    </message>
    <message>
        <source>{path} is not text that Python can read</source>
        <translation>{path} 不是 Python 能读取的文本</translation>
    </message>
    <message>
        <source>{place}, and others in {count} further masks</source>
        <translation>{place}，另外 {count} 个掩码中还有其他行</translation>
    </message>
    <message>
        <source>{said} must be the name of a function in the file, or a call with literals such as sliding_window(4)</source>
        <translation>{said} 必须是文件中函数的名称，或带字面量的调用，如 sliding_window(4)</translation>
    </message>
    <message>
        <source>{title} and {second} both make the weights of a row</source>
        <translation>{title}和{second}都要生成一行的权重</translation>
    </message>
    <message>
        <source>{title} changes the vectors of a dot product, which the scores of this module are not</source>
        <translation>{title} 改变点积的向量，而此模块的分数不是点积</translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/fields</name>
    <message>
        <source>; nearest: {max_length}</source>
        <translation>；最接近的：{max_length}</translation>
    </message>
    <message>
        <source>; nearest: {min_length}</source>
        <translation>；最接近的：{min_length}</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>Painted {axis} {position} is not in {first}..{last}</source>
        <translation>绘制的 {axis} {position} 不在 {first}..{last} 内</translation>
    </message>
    <message>
        <source>The share of the previous step that the next one keeps.</source>
        <translation>下一步保留上一步的多少。</translation>
    </message>
    <message>
        <source>auto, cpu, mps or cuda:0; auto takes the first GPU, else the CPU.</source>
        <translation>auto、cpu、mps 或 cuda:0；auto 取第一个 GPU，没有则用 CPU。</translation>
    </message>
    <message>
        <source>must be a number</source>
        <translation>必须是数</translation>
    </message>
    <message>
        <source>must be a whole number</source>
        <translation>必须是整数</translation>
    </message>
    <message>
        <source>must be at least {limit}</source>
        <translation>必须不小于 {limit}</translation>
    </message>
    <message>
        <source>must be at most {limit}</source>
        <translation>必须不大于 {limit}</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>painted entry {said} must count queries and keys from {first}</source>
        <translation>painted 的条目 {said} 中，查询和键必须从 {first} 数起</translation>
    </message>
    <message>
        <source>painted entry {said} must read 'query: keys', such as '1: 3-5 7'</source>
        <translation>painted 的条目 {said} 必须写成“查询: 键”，如 '1: 3-5 7'</translation>
    </message>
    <message>
        <source>painted has more pieces than {most}</source>
        <translation>painted 超过 {most} 段</translation>
    </message>
    <message>
        <source>painted holds {length} characters</source>
        <translation>painted 有 {length} 个字符</translation>
    </message>
    <message>
        <source>painted must be text such as '1: 3-5 7; 4-6: 2', not {said}</source>
        <translation>painted 必须是文本，如 '1: 3-5 7; 4-6: 2'，而不是 {said}</translation>
    </message>
    <message>
        <source>painted {axis} {position} is not in {first}..{last}</source>
        <translation>painted {axis} {position} 不在 {first}..{last} 内</translation>
    </message>
    <message>
        <source>the whole holds {count} fields; at most {most} are read</source>
        <translation>整体含有 {count} 个字段；最多读取 {most} 个</translation>
    </message>
    <message>
        <source>there is no field {name!r}</source>
        <translation>没有字段 {name!r}</translation>
    </message>
    <message>
        <source>there is no setting {said} in {place}{near}</source>
        <translation>{place} 中没有旋钮 {said}{near}</translation>
    </message>
    <message>
        <source>there is no {kind} {said} in {place}{near}</source>
        <translation>{place} 中没有名为 {said} 的 {kind}{near}</translation>
    </message>
    <message>
        <source>true and false are not numbers</source>
        <translation>true 和 false 不是数</translation>
    </message>
    <message>
        <source>{field} holds a character that is not text</source>
        <translation>{field} 含有非文本字符</translation>
    </message>
    <message>
        <source>{field} holds more than {max_length} entries</source>
        <translation>{field} 超过 {max_length} 项</translation>
    </message>
    <message>
        <source>{field} is longer than {max_length} characters</source>
        <translation>{field} 超过 {max_length} 个字符</translation>
    </message>
    <message>
        <source>{field} is missing</source>
        <translation>缺少 {field}</translation>
    </message>
    <message>
        <source>{field} must hold at least {min_length}</source>
        <translation>{field} 至少要有 {min_length} 项</translation>
    </message>
    <message>
        <source>{field} needs a 'kind'</source>
        <translation>{field} 需要 'kind'</translation>
    </message>
    <message>
        <source>{field} {said} has too many digits</source>
        <translation>{field} {said} 的位数太多</translation>
    </message>
    <message>
        <source>{field} {said} must be a finite number</source>
        <translation>{field} {said} 必须是有限数</translation>
    </message>
    <message>
        <source>{field} {said} must be a list</source>
        <translation>{field} {said} 必须是列表</translation>
    </message>
    <message>
        <source>{field} {said} must be a number</source>
        <translation>{field} {said} 必须是数</translation>
    </message>
    <message>
        <source>{field} {said} must be a whole number</source>
        <translation>{field} {said} 必须是整数</translation>
    </message>
    <message>
        <source>{field} {said} must be above {gt}</source>
        <translation>{field} {said} 必须大于 {gt}</translation>
    </message>
    <message>
        <source>{field} {said} must be an object</source>
        <translation>{field} {said} 必须是对象</translation>
    </message>
    <message>
        <source>{field} {said} must be an object with a 'kind'</source>
        <translation>{field} {said} 必须是带有 'kind' 的对象</translation>
    </message>
    <message>
        <source>{field} {said} must be at least {ge}</source>
        <translation>{field} {said} 必须不小于 {ge}</translation>
    </message>
    <message>
        <source>{field} {said} must be at most {le}</source>
        <translation>{field} {said} 必须不大于 {le}</translation>
    </message>
    <message>
        <source>{field} {said} must be auto, cpu, mps or cuda:0 (or another number)</source>
        <translation>{field} {said} 必须是 auto、cpu、mps 或 cuda:0（或其他编号）</translation>
    </message>
    <message>
        <source>{field} {said} must be below {lt}</source>
        <translation>{field} {said} 必须小于 {lt}</translation>
    </message>
    <message>
        <source>{field} {said} must be one of {expected}</source>
        <translation>{field} {said} 必须是 {expected} 之一</translation>
    </message>
    <message>
        <source>{field} {said} must be text</source>
        <translation>{field} {said} 必须是文本</translation>
    </message>
    <message>
        <source>{field} {said} must be true or false</source>
        <translation>{field} {said} 必须是 true 或 false</translation>
    </message>
    <message>
        <source>{field}: kind {tag!r} must be one of {expected_tags}</source>
        <translation>{field}：kind {tag!r} 必须是 {expected_tags} 之一</translation>
    </message>
    <message>
        <source>{name} holds {count} fields; at most {most} are read</source>
        <translation>{name} 含有 {count} 个字段；最多读取 {most} 个</translation>
    </message>
    <message>
        <source>{place} {said} must be an object with a number for each setting</source>
        <translation>{place} {said} 必须是对象，每个旋钮对应一个数</translation>
    </message>
    <message>
        <source>{place} {said} must be an object with a {kind}'s name for each</source>
        <translation>{place} {said} 必须是对象，每一项以一个 {kind} 的名称为键</translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/files</name>
    <message>
        <source>; 'attnviz presets' lists them</source>
        <translation>；用 'attnviz presets' 列出全部</translation>
    </message>
    <message>
        <source>; nearest: 1.0</source>
        <translation>；最接近的：1.0</translation>
    </message>
    <message>
        <source>; nearest: mask.astype(bool)</source>
        <translation>；最接近的：mask.astype(bool)</translation>
    </message>
    <message>
        <source>; nearest: np.savez_compressed</source>
        <translation>；最接近的：np.savez_compressed</translation>
    </message>
    <message>
        <source>; nearest: weights.astype('{nearest}')</source>
        <translation>；最接近的：weights.astype('{nearest}')</translation>
    </message>
    <message>
        <source>; nearest: {k}</source>
        <translation>；最接近的：{k}</translation>
    </message>
    <message>
        <source>; nearest: {name}.astype('float32')</source>
        <translation>；最接近的：{name}.astype('float32')</translation>
    </message>
    <message>
        <source>; nearest: {name}.astype(str)</source>
        <translation>；最接近的：{name}.astype(str)</translation>
    </message>
    <message>
        <source>; nearest: {needed}</source>
        <translation>；最接近的：{needed}</translation>
    </message>
    <message>
        <source>; nearest: {of_keys}</source>
        <translation>；最接近的：{of_keys}</translation>
    </message>
    <message>
        <source>a session is a JSON object, {{...}}</source>
        <translation>会话应为 JSON 对象 {{...}}</translation>
    </message>
    <message>
        <source>a spec is a JSON object, {{...}}</source>
        <translation>设定应为 JSON 对象 {{...}}</translation>
    </message>
    <message>
        <source>a view of the lab '{lab}' cannot be beside a spec of '{other}'</source>
        <translation>实验室 '{lab}' 的视图不能与 '{other}' 的设定放在一起</translation>
    </message>
    <message>
        <source>format {said} is of a newer attnviz, this one reads up to {most}; a newer attnviz opens it</source>
        <translation>格式 {said} 来自更新的 attnviz，本版本最高读到 {most}；用更新的 attnviz 可以打开</translation>
    </message>
    <message>
        <source>format {said} must be the number of a session format</source>
        <translation>format {said} 必须是会话格式的编号</translation>
    </message>
    <message>
        <source>in trained: {problem}</source>
        <translation>trained 中：{problem}</translation>
    </message>
    <message>
        <source>in {place}: {problem}</source>
        <translation>{place} 中：{problem}</translation>
    </message>
    <message>
        <source>its list of arrays is missing, or longer than {most} MiB</source>
        <translation>其数组清单缺失，或超过 {most} MiB</translation>
    </message>
    <message>
        <source>mask has shape {shape}, which does not spread over weights of shape {needed}</source>
        <translation>mask 的形状为 {shape}，无法广播到形状为 {needed} 的权重</translation>
    </message>
    <message>
        <source>mask holds {dtype}, not booleans (True = may attend)</source>
        <translation>mask 的类型是 {dtype}，不是布尔值（True = 可以关注）</translation>
    </message>
    <message>
        <source>notes holds a character that is not text</source>
        <translation>notes 含有非文本字符</translation>
    </message>
    <message>
        <source>notes {said} must be text of at most {most} characters</source>
        <translation>notes {said} 必须是文本，最多 {most} 个字符</translation>
    </message>
    <message>
        <source>origin {said} must be the path of a file</source>
        <translation>origin {said} 必须是文件的路径</translation>
    </message>
    <message>
        <source>q and k make the scores together; give both, or neither</source>
        <translation>q 与 k 共同得出分数；两者都给，或都不给</translation>
    </message>
    <message>
        <source>q has {q} features and k has {k}: they have no product</source>
        <translation>q 有 {q} 个特征，k 有 {k} 个：无法求点积</translation>
    </message>
    <message>
        <source>scale must be one finite number that is not 0</source>
        <translation>scale 必须是一个不为 0 的有限数</translation>
    </message>
    <message>
        <source>the header of {name} is longer than {most} bytes</source>
        <translation>{name} 的说明部分超过 {most} 字节</translation>
    </message>
    <message>
        <source>the session holds no 'spec'</source>
        <translation>会话中没有 'spec'</translation>
    </message>
    <message>
        <source>the trained model in it is of another spec and was left out</source>
        <translation>其中训练好的模型属于另一设定，已略去</translation>
    </message>
    <message>
        <source>there is no field {name} in a session{near}</source>
        <translation>会话中没有字段 {name}{near}</translation>
    </message>
    <message>
        <source>there is no preset {said}{near}</source>
        <translation>没有预设 {said}{near}</translation>
    </message>
    <message>
        <source>this is not JSON: a number has too many digits</source>
        <translation>这不是 JSON：有一个数的位数太多</translation>
    </message>
    <message>
        <source>this is not JSON: it is empty</source>
        <translation>这不是 JSON：内容为空</translation>
    </message>
    <message>
        <source>this is not JSON: {why}; the file seems to be cut</source>
        <translation>这不是 JSON：{why}；文件似乎不完整</translation>
    </message>
    <message>
        <source>this is not the spec of a lab</source>
        <translation>这不是实验室的设定</translation>
    </message>
    <message>
        <source>this is not the trained model of a lab</source>
        <translation>这不是实验室训练好的模型</translation>
    </message>
    <message>
        <source>trained.spec must be a spec of a lab that trains a model: {those}</source>
        <translation>trained.spec 必须是会训练模型的实验室的设定：{those}</translation>
    </message>
    <message>
        <source>v has {of_values} heads and k has {of_keys}, but keys and values must have the same number of heads</source>
        <translation>v 有 {of_values} 个头，k 有 {of_keys} 个，而键的每个头都要有对应的值</translation>
    </message>
    <message>
        <source>warning must be one text of at most {most} characters, not {dtype} of shape {shape}</source>
        <translation>warning 必须是一段不超过 {most} 个字符的文字，而不是形状为 {shape} 的 {dtype}</translation>
    </message>
    <message>
        <source>weights has shape {shape}; needed (queries, keys), (heads, queries, keys) or (batch, heads, queries, keys), none of them 0{near}</source>
        <translation>weights 的形状为 {shape}；应为 (queries, keys)、(heads, queries, keys) 或 (batch, heads, queries, keys)，且各维都不为 0{near}</translation>
    </message>
    <message>
        <source>weights has {size} {axis}; at most {most} can be shown</source>
        <translation>weights 有 {size} 个 {axis}；最多能显示 {most} 个</translation>
    </message>
    <message>
        <source>weights holds {dtype}, not half, single or double floats</source>
        <translation>weights 的类型是 {dtype}，不是半精度、单精度或双精度浮点数</translation>
    </message>
    <message>
        <source>weights holds {dtype}, not numbers</source>
        <translation>weights 的类型是 {dtype}，不是数</translation>
    </message>
    <message>
        <source>weights[{place}] is {value:.6g}, and a weight is in 0..1 (scores become weights by a softmax)</source>
        <translation>weights[{place}] 为 {value:.6g}，而权重应在 0..1 内（分数经 softmax 变为权重）</translation>
    </message>
    <message>
        <source>{name} announces {size} bytes, but {rest} follow</source>
        <translation>{name} 声明有 {size} 字节，其后只有 {rest} 字节</translation>
    </message>
    <message>
        <source>{name} cannot be read: no data has arrived yet</source>
        <translation>{name} 无法读取：尚未收到任何内容</translation>
    </message>
    <message>
        <source>{name} has arrays of more than {most} MiB</source>
        <translation>{name} 中的数组超过 {most} MiB</translation>
    </message>
    <message>
        <source>{name} has shape {shape}, which does not fit</source>
        <translation>{name} 的形状为 {shape}，与其他数组不符</translation>
    </message>
    <message>
        <source>{name} has shape {shape}, which no array can have</source>
        <translation>{name} 的形状为 {shape}，任何数组都不可能如此</translation>
    </message>
    <message>
        <source>{name} has shape {shape}; needed ({count},), a token for each row</source>
        <translation>{name} 的形状为 {shape}；应为 ({count},)，每行一个词元</translation>
    </message>
    <message>
        <source>{name} has {entries} entries for {count} {axis}; needed {count}, one for each</source>
        <translation>{name} 有 {entries} 项，而 {axis} 有 {count} 个；应有 {count} 项，每个对应一项</translation>
    </message>
    <message>
        <source>{name} holds a character that is not text</source>
        <translation>{name} 含有非文本字符</translation>
    </message>
    <message>
        <source>{name} holds pickled objects, which are never read</source>
        <translation>{name} 含有 pickle 对象，这类对象一律不读取</translation>
    </message>
    <message>
        <source>{name} holds {dtype}, not floats</source>
        <translation>{name} 的类型是 {dtype}，不是浮点数</translation>
    </message>
    <message>
        <source>{name} holds {dtype}, not text</source>
        <translation>{name} 的类型是 {dtype}，不是文本</translation>
    </message>
    <message>
        <source>{name} is a structured array; plain numbers are needed</source>
        <translation>{name} 的格式用于带列名的数据，纯数值数组不会用它</translation>
    </message>
    <message>
        <source>{name} is compressed in a way that numpy never uses</source>
        <translation>{name} 的压缩方式是 numpy 从不使用的</translation>
    </message>
    <message>
        <source>{name} is damaged</source>
        <translation>{name} 已损坏</translation>
    </message>
    <message>
        <source>{name} is not a text file</source>
        <translation>{name} 不是文本文件</translation>
    </message>
    <message>
        <source>{name} occurs twice</source>
        <translation>{name} 出现了两次</translation>
    </message>
    <message>
        <source>{name} takes {size} MiB; at most {most} MiB of tokens are read</source>
        <translation>{name} 占 {size} MiB；最多读取 {most} MiB 的词元</translation>
    </message>
    <message>
        <source>{name} {start}... has {count} characters; at most {most} are shown</source>
        <translation>{name} {start}... 有 {count} 个字符；最多能显示 {most} 个</translation>
    </message>
    <message>
        <source>{place} holds a spec, and 'pinned' is of that lab too; only one can count</source>
        <translation>{place} 含有设定，而 'pinned' 也属于该实验室；只能有一个</translation>
    </message>
    <message>
        <source>{place} is a spec of the lab {lab}, which compares no runs; labs that do: {labs}</source>
        <translation>{place} 是实验室 {lab} 的设定，它不比较多次运行；能比较的实验室：{labs}</translation>
    </message>
    <message>
        <source>{place} {said} must be a spec of the lab {lab}</source>
        <translation>{place} {said} 必须是实验室 {lab} 的设定</translation>
    </message>
    <message>
        <source>{place} {said} must be an object of 'spec' and 'step'</source>
        <translation>{place} {said} 必须是由 'spec' 和 'step' 组成的对象</translation>
    </message>
    <message>
        <source>{place} {said} must be an object, {{...}}</source>
        <translation>{place} {said} 必须是对象 {{...}}</translation>
    </message>
    <message>
        <source>{place}.step {said} must be a whole number from 0 to {steps}, its steps</source>
        <translation>{place}.step {said} 必须是 0 到 {steps}（其步数）之间的整数</translation>
    </message>
    <message>
        <source>{said} is no active field of preset {name}{near}</source>
        <translation>{said} 不是预设 {name} 中起作用的字段{near}</translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/layers</name>
    <message>
        <source>; nearest: 1.1</source>
        <translation>；最接近的：1.1</translation>
    </message>
    <message>
        <source>A has given weights only, without scores, so there is no B − A.</source>
        <translation>A 只有给定的权重，没有分数，因此没有 B − A。</translation>
    </message>
    <message>
        <source>A has no {numbers}, so there is no B − A.</source>
        <translation>A 没有{numbers}，所以没有 B − A。</translation>
    </message>
    <message>
        <source>A has {a} batch items and B has {b}: item {wanted} is not in both.</source>
        <translation>A 的批量有 {a} 个样本，B 有 {b} 个：样本 {wanted} 并非两者都有。</translation>
    </message>
    <message>
        <source>A has {a} heads and B has {b}: head {wanted} is not in both.</source>
        <translation>A 有 {a} 个头，B 有 {b} 个：头 {wanted} 并非两者都有。</translation>
    </message>
    <message>
        <source>A has {a} keys and B has {b}: columns do not match, so there is no B − A.</source>
        <translation>A 有 {a} 个键，B 有 {b} 个：列不对应，因此没有 B − A。</translation>
    </message>
    <message>
        <source>A has {a} queries and B has {b}: rows do not match, so there is no B − A.</source>
        <translation>A 有 {a} 个查询，B 有 {b} 个：行不对应，因此没有 B − A。</translation>
    </message>
    <message>
        <source>Every step of the mechanism</source>
        <translation>机制的每一步</translation>
    </message>
    <message>
        <source>Features {first} and {second} of {query} at position {place} are turned by {angle} rad, of {key} at position {other} by {turned} rad: the distance is {distance}.</source>
        <translation>{query}（位置 {place}）的特征 {first} 和 {second} 旋转 {angle} rad，{key}（位置 {other}）的旋转 {turned} rad：距离为 {distance}。</translation>
    </message>
    <message>
        <source>Given arrays</source>
        <translation>给定的数组</translation>
    </message>
    <message>
        <source>Head {head} is off: its output is 0 for every token.</source>
        <translation>头 {head} 已关闭：它对每个词元的输出都是 0。</translation>
    </message>
    <message>
        <source>Head {head} is off: its output is its mean over the tokens, for every token.</source>
        <translation>头 {head} 已关闭：它对每个词元的输出都是它在所有词元上的均值。</translation>
    </message>
    <message>
        <source>Learned weights</source>
        <translation>学得的权重</translation>
    </message>
    <message>
        <source>Masked keys get {masked}: the fill, {fill}, is not far below the other scores.</source>
        <translation>被掩蔽的键得到 {masked}：填充值 {fill} 并不远低于其他分数。</translation>
    </message>
    <message>
        <source>No mask is on: {query} may attend to {allowed} of {keys}.</source>
        <translation>没有启用掩码：{query} 可以关注 {keys} 中的 {allowed} 个。</translation>
    </message>
    <message>
        <source>Pin a run as A and compare later runs as B</source>
        <translation>把一次运行固定为 A，以后的运行作为 B 与之比较</translation>
    </message>
    <message numerus="yes">
        <source>The masks differ in {count} of {all} cells (query: keys): {cells}.</source>
        <extracomment>one: The masks differ in one of {all} cells (query: keys): {cells}.</extracomment>
        <translation><numerusform>两个掩码在 {all} 格中有 {count} 格不同（查询：键）：{cells}。</numerusform></translation>
    </message>
    <message>
        <source>The output of head {head} for {query} is replaced by that of another run (patched).</source>
        <translation>头 {head} 为 {query} 汇聚的结果被替换：继续向后传的是另一次运行的输出。</translation>
    </message>
    <message>
        <source>The row of {query} has the {numbers} of {heads}: head {head} fills {first} to {last}.</source>
        <translation>{query} 的行由 {heads} 的 {numbers} 拼成：头 {head} 占第 {first} 到 {last} 个。</translation>
    </message>
    <message>
        <source>The sink takes {sink}.</source>
        <translation>汇（sink）占 {sink}。</translation>
    </message>
    <message>
        <source>The {features} of {name} are divided among {heads}: head {head} takes {first} to {last}.</source>
        <translation>{name} 的 {features} 分给 {heads}：头 {head} 取第 {first} 到 {last} 个。</translation>
    </message>
    <message>
        <source>The {name} of {key} is {score}.</source>
        <translation>{key} 的 {name} 为 {score}。</translation>
    </message>
    <message>
        <source>Weights as lines from each query to the keys it attends to</source>
        <translation>用连线表示权重，从每个查询连到它关注的键</translation>
    </message>
    <message>
        <source>dropout {rate} keeps the weight that {query} gives {key}: {before} × {factor} = {after}.</source>
        <translation>暂退概率 {rate}，{query} 给 {key} 的权重保留：{before} × {factor} = {after}。</translation>
    </message>
    <message>
        <source>dropout {rate} sets the weight that {query} gives {key}, {before}, to 0.</source>
        <translation>暂退概率 {rate}，{query} 给 {key} 的权重 {before} 置为 0。</translation>
    </message>
    <message>
        <source>dropout {rate} sets {dropped} of {weights} of {query} to 0; the rest, × {factor}, sum to {total}.</source>
        <translation>暂退概率 {rate}，{query} 的 {weights} 中有 {dropped} 个置为 0；其余乘以 {factor}，和为 {total}。</translation>
    </message>
    <message>
        <source>features {first} and {second} of {query} at position {place} turn by {angle} rad in head {head}: {x_1} and {x_2} become {y_1} and {y_2}.</source>
        <translation>头 {head} 中，{query}（位置 {place}）的特征 {first} 和 {second} 旋转 {angle} rad：{x_1} 和 {x_2} 变为 {y_1} 和 {y_2}。</translation>
    </message>
    <message>
        <source>head {head} pools no value for {query}: {numbers}, all 0.</source>
        <translation>头 {head} 没有为 {query} 汇聚任何值：{numbers}，全为 0。</translation>
    </message>
    <message numerus="yes">
        <source>head {head} pools {count} values for {query} into {numbers}, {key} with weight {share}.</source>
        <extracomment>one: head {head} pools one value for {query} into {numbers}, {key} with weight {share}.</extracomment>
        <translation><numerusform>头 {head} 为 {query} 把 {count} 个值汇聚成 {numbers}，{key} 的权重为 {share}。</numerusform></translation>
    </message>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>key head {head} of {count}, shared by heads {first} to {last}</source>
        <translation>第 {head} 个键头（共 {count} 个），由头 {first} 至 {last} 共用</translation>
    </message>
    <message>
        <source>key {number}</source>
        <translation>键 {number}</translation>
    </message>
    <message>
        <source>nothing is projected; queries and keys of {numbers} are compared as they are.</source>
        <translation>没有投影；{numbers} 的查询和键直接比较。</translation>
    </message>
    <message>
        <source>nothing is projected; queries of {numbers} and keys of {of_key} are compared through {layer}.</source>
        <translation>没有投影；{numbers} 的查询与 {of_key} 个数的键通过 {layer} 比较。</translation>
    </message>
    <message>
        <source>q</source>
        <translation>q</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>query {number}</source>
        <translation>查询 {number}</translation>
    </message>
    <message>
        <source>softmax(q · k × scale) differs from the given weights by up to {apart} of a row's largest: the stages before the weights are left out.</source>
        <translation>softmax(q · k × scale) 与给定的权重相差最多达该行最大权重的 {apart}：略去权重之前的阶段。</translation>
    </message>
    <message>
        <source>the output of {query} is not finite (NaN or infinite).</source>
        <translation>{query} 的输出不是有限数（无穷或 NaN）。</translation>
    </message>
    <message>
        <source>the {kinds} are taken as they are, {given} each.</source>
        <translation>{kinds} 按原样使用，每个有 {given}。</translation>
    </message>
    <message>
        <source>there is no head {said} in {where}: layers and heads count from 1</source>
        <translation>{where} 中没有头 {said}：层与头都从 1 数起</translation>
    </message>
    <message>
        <source>v</source>
        <translation>v</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>what head {head} pools for {query} is not finite (NaN or infinite).</source>
        <translation>头 {head} 为 {query} 汇聚的结果不是有限数（无穷或 NaN）。</translation>
    </message>
    <message numerus="yes">
        <source>{count} features</source>
        <extracomment>one: {count} feature</extracomment>
        <translation><numerusform>{count} 个特征</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>{count} keys</source>
        <extracomment>one: {count} key</extracomment>
        <translation><numerusform>{count} 个键</numerusform></translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>另有 {count} 个</translation>
    </message>
    <message numerus="yes">
        <source>{count} numbers</source>
        <extracomment>one: {count} number</extracomment>
        <translation><numerusform>{count} 个数</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>{count} weights</source>
        <extracomment>one: {count} weight</extracomment>
        <translation><numerusform>{count} 个权重</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>{count} {name} features</source>
        <extracomment>one: {count} {name} feature</extracomment>
        <translation><numerusform>{count} 个 {name} 特征</numerusform></translation>
    </message>
    <message>
        <source>{fill} replaces the {name} that {query} gives {key}, {score}: {why}.</source>
        <translation>{query} 给 {key} 的 {name} {score} 替换为 {fill}：{why}。</translation>
    </message>
    <message>
        <source>{layer} projects the {given} of {name} to its {kind} of {made}.</source>
        <translation>{layer} 把 {name} 的 {given} 变为 {made} 维的 {kind}。</translation>
    </message>
    <message>
        <source>{layer} projects the {merged} of {query} to its output: {numbers}, from {low} to {high}.</source>
        <translation>{layer} 把 {query} 的 {merged} 变为输出：{numbers}，从 {low} 到 {high}。</translation>
    </message>
    <message>
        <source>{query} and {key} have {features}, from {low} to {high}; {factors} weighs and sums them.</source>
        <translation>{query} 与 {key} 有 {features}，从 {low} 到 {high}；{factors} 对它们加权求和。</translation>
    </message>
    <message numerus="yes">
        <source>{query} attends to no key: its {count} weights are all 0.</source>
        <extracomment>one: {query} attends to no key: its one weight is 0.</extracomment>
        <translation><numerusform>{query} 不关注任何键：它的 {count} 个权重全为 0。</numerusform></translation>
    </message>
    <message>
        <source>{query} gives {key} the score {score}, number {rank} of {keys}: {how}.</source>
        <translation>{query} 给 {key} 的分数为 {score}，在 {keys} 中排第 {rank}：{how}。</translation>
    </message>
    <message>
        <source>{query} gives {key} the weight {weight}, number {rank} of {keys}; they sum to {total}, not to 1.</source>
        <translation>{query} 给 {key} 的权重为 {weight}，在 {keys} 个键中排第 {rank}；权重之和为 {total}，不是 1。</translation>
    </message>
    <message>
        <source>{query} gives {share} of its attention to each of {ties} keys, {key} among them, the most of its {keys}.</source>
        <translation>{query} 给 {ties} 个键各 {share} 的注意力（{key} 是其中之一），在 {keys} 个键中最多。</translation>
    </message>
    <message>
        <source>{query} gives {share} of its attention to {key}, number {rank} of its {keys} keys.</source>
        <translation>{query} 把 {share} 的注意力给 {key}，在 {keys} 个键中排第 {rank}。</translation>
    </message>
    <message>
        <source>{query} gives {share} of its attention to {key}, which is masked ({why}).</source>
        <translation>{query} 把 {share} 的注意力给被掩蔽的 {key}（{why}）。</translation>
    </message>
    <message>
        <source>{query} gives {share} of its attention to {key}: its {name}, {score}, is the largest of {keys}.</source>
        <translation>{query} 把 {share} 的注意力给 {key}：其{name} {score} 在 {keys} 个键中最大。</translation>
    </message>
    <message>
        <source>{query} gives {share} of its attention to {key}: its {name}, {score}, ranks number {rank} of {keys}.</source>
        <translation>{query} 把 {share} 的注意力给 {key}：其{name} {score} 在 {keys} 个键中排第 {rank}。</translation>
    </message>
    <message numerus="yes">
        <source>{query} has NaN (not a number) as {wrong} of its {count} weights.</source>
        <extracomment>one: {query} has NaN (not a number) as its one weight.</extracomment>
        <translation><numerusform>{query} 的 {count} 个权重中有 {wrong} 个是 NaN（不是数）。</numerusform></translation>
    </message>
    <message>
        <source>{query} in head {head}</source>
        <translation>头 {head} 中的 {query}</translation>
    </message>
    <message>
        <source>{query} may attend to no key: its weights are 0, whatever the policy.</source>
        <translation>{query} 没有可关注的键：无论哪种策略，它的权重都为 0。</translation>
    </message>
    <message>
        <source>{query} may attend to no key: the sink takes all of its weight.</source>
        <translation>{query} 没有可关注的键：汇得到它的全部权重。</translation>
    </message>
    <message numerus="yes">
        <source>{query} may attend to no key: with a fill of {fill}, each of its {count} keys gets the weight {weight}.</source>
        <extracomment>one: {query} may attend to no key: with a fill of {fill}, its one key gets the weight {weight}.</extracomment>
        <translation><numerusform>{query} 没有可关注的键：填充值为 {fill} 时，它的 {count} 个键各得权重 {weight}。</numerusform></translation>
    </message>
    <message>
        <source>{query} may attend to one key alone: {key} gets {share} of its attention.</source>
        <translation>{query} 只能关注一个键：{key} 得到 {share} 的注意力。</translation>
    </message>
    <message>
        <source>{query} may attend to {allowed} of {keys}; no mask forbids any ({masks}).</source>
        <translation>{query} 可以关注 {keys} 中的 {allowed} 个；没有掩码禁止任何键（{masks}）。</translation>
    </message>
    <message numerus="yes">
        <source>{query} may attend to {allowed} of {keys}; {count} scores become {fill} ({why}).</source>
        <extracomment>one: {query} may attend to {allowed} of {keys}; the score of {key} becomes {fill} ({why}).</extracomment>
        <translation><numerusform>{query} 可以关注 {keys} 中的 {allowed} 个；{count} 个分数变为 {fill}（{why}）。</numerusform></translation>
    </message>
    <message>
        <source>{query} may attend to {key}: the mask keeps its {name}, {score}.</source>
        <translation>{query} 可以关注 {key}：掩码保留其 {name} {score}。</translation>
    </message>
    <message>
        <source>{query} pools no value: its output is {numbers}, all 0.</source>
        <translation>{query} 没有汇聚任何值：输出为 {numbers}，全为 0。</translation>
    </message>
    <message numerus="yes">
        <source>{query} pools {count} values, {key} with weight {share}: {numbers}, from {low} to {high}.</source>
        <extracomment>one: {query} pools one value, {key} with weight {share}: {numbers}, from {low} to {high}.</extracomment>
        <translation><numerusform>{query} 汇聚 {count} 个值，{key} 的权重为 {share}：{numbers}，从 {low} 到 {high}。</numerusform></translation>
    </message>
    <message>
        <source>{query} spreads its attention evenly over its {keys} keys, {share} each.</source>
        <translation>{query} 把注意力均匀分给 {keys} 个键，各 {share}。</translation>
    </message>
    <message>
        <source>{rows} and {further} more</source>
        <translation>{rows} 以及另外 {further} 个</translation>
    </message>
    <message>
        <source>{said} in {where} must name a head as layer.head</source>
        <translation>{where} 中的 {said} 须以“层.头”指明一个头</translation>
    </message>
    <message>
        <source>{sentence} Here: {shared}.</source>
        <translation>{sentence}此处：{shared}。</translation>
    </message>
    <message numerus="yes">
        <source>{wrong} of the {count} scores of {query} did not stay finite in {dtype} (infinite or NaN).</source>
        <extracomment>one: the one score of {query} did not stay finite in {dtype} (infinite or NaN).</extracomment>
        <translation><numerusform>{query} 的 {count} 个分数中有 {wrong} 个在 {dtype} 中不再有限（无穷或 NaN）。</numerusform></translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/lessons</name>
    <message>
        <source>; nearest: # Masked softmax</source>
        <translation>；最接近的：# Masked softmax</translation>
    </message>
    <message>
        <source>; nearest: ## for a step</source>
        <translation>；最接近的：用 ## 开始一步</translation>
    </message>
    <message>
        <source>; nearest: ###</source>
        <translation>；最接近的：###</translation>
    </message>
    <message>
        <source>; nearest: .2f</source>
        <translation>；最接近的：.2f</translation>
    </message>
    <message>
        <source>; nearest: 0.05</source>
        <translation>；最近的合法值：0.05</translation>
    </message>
    <message>
        <source>; nearest: 2 choices</source>
        <translation>；最接近的：2 个选项</translation>
    </message>
    <message>
        <source>; nearest: add the view on screen</source>
        <translation>；最接近的做法：添加当前画面</translation>
    </message>
    <message>
        <source>; nearest: all(...)</source>
        <translation>；最接近的：all(...)</translation>
    </message>
    <message>
        <source>; nearest: choose one from Insert</source>
        <translation>；可从“插入”中选一个</translation>
    </message>
    <message>
        <source>; nearest: do the task in the window, then use the screen as the solution</source>
        <translation>；请先在窗口中完成任务，再把屏幕内容用作解法</translation>
    </message>
    <message>
        <source>; nearest: more digits</source>
        <translation>；最接近：更多位数</translation>
    </message>
    <message>
        <source>; nearest: {there}</source>
        <translation>；最接近的：{there}</translation>
    </message>
    <message>
        <source>; nearest: {{{{ for a brace</source>
        <translation>；最接近的：用 {{{{ 表示花括号</translation>
    </message>
    <message>
        <source>a block is a JSON object, {{...}}</source>
        <translation>设置块是一个 JSON 对象，{{...}}</translation>
    </message>
    <message>
        <source>a brace is left open in {said}</source>
        <translation>{said} 中有未闭合的花括号</translation>
    </message>
    <message>
        <source>a choice must be one paragraph, without a heading, a list or a block</source>
        <translation>选项必须是一个段落，不含标题、列表或代码块</translation>
    </message>
    <message>
        <source>a choice needs a text</source>
        <translation>选项需要文字</translation>
    </message>
    <message>
        <source>a lesson begins with its title</source>
        <translation>课程以标题开头</translation>
    </message>
    <message>
        <source>a lesson has 1 to {most} steps, not {count}</source>
        <translation>一课有 1 到 {most} 步，而不是 {count} 步</translation>
    </message>
    <message>
        <source>a lesson has headings of three levels</source>
        <translation>课程只有三级标题</translation>
    </message>
    <message>
        <source>a lesson has one title</source>
        <translation>一课只有一个标题</translation>
    </message>
    <message>
        <source>a lesson needs a step</source>
        <translation>一课至少要有一步</translation>
    </message>
    <message>
        <source>a list in the question would be read as its choices</source>
        <translation>问题中的列表会被当作选项</translation>
    </message>
    <message>
        <source>a look at a key needs its query too</source>
        <translation>要看某个键，还须给出它的查询</translation>
    </message>
    <message>
        <source>a look is at a head, query and key, or at a stage, or at a control</source>
        <translation>要看的是头、查询和键，或一个阶段，或一个控件</translation>
    </message>
    <message>
        <source>a part is one of {parts}, not {said}{near}</source>
        <translation>组成部分须为 {parts} 之一，而不是 {said}{near}</translation>
    </message>
    <message>
        <source>a prediction has 'choices', or a 'number', or 'cells'</source>
        <translation>预测须有 'choices'、'number' 或 'cells' 之一</translation>
    </message>
    <message>
        <source>a question needs a text</source>
        <translation>问题需要文字</translation>
    </message>
    <message>
        <source>a question needs at least two choices</source>
        <translation>问题至少需要两个选项</translation>
    </message>
    <message>
        <source>a reason must be paragraphs, without a heading, a list or a block</source>
        <translation>理由必须由段落组成，不含标题、列表或代码块</translation>
    </message>
    <message>
        <source>a step has one block, and this is its second</source>
        <translation>一步只有一个设置块，而这是第二个</translation>
    </message>
    <message>
        <source>a task needs a text</source>
        <translation>任务需要文字</translation>
    </message>
    <message>
        <source>a text must have no heading, no block and nothing left open</source>
        <translation>正文中不能有标题或代码块设定，也不能有未结束的部分</translation>
    </message>
    <message>
        <source>an expression is needed</source>
        <translation>需要一个表达式</translation>
    </message>
    <message>
        <source>an operation would produce {count} numbers; the limit is {most}</source>
        <translation>一次运算会产生 {count} 个数；最多产生 {most} 个</translation>
    </message>
    <message>
        <source>cells</source>
        <translation>格子</translation>
    </message>
    <message>
        <source>cells that the mask leaves open</source>
        <translation>掩码保留的格子</translation>
    </message>
    <message>
        <source>cells with a weight above 0</source>
        <translation>权重大于 0 的格子</translation>
    </message>
    <message>
        <source>choice {letter}</source>
        <translation>选项 {letter}</translation>
    </message>
    <message>
        <source>choices</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>condition</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>key with the largest weight of query {query}</source>
        <translation>查询 {query} 权重最大的键</translation>
    </message>
    <message>
        <source>largest weight of query {query}</source>
        <translation>查询 {query} 的最大权重</translation>
    </message>
    <message>
        <source>line {line}: {problem}</source>
        <translation>第 {line} 行：{problem}</translation>
    </message>
    <message>
        <source>no choice is marked as the right one</source>
        <translation>没有标出正确选项</translation>
    </message>
    <message>
        <source>no solution yet</source>
        <translation>还没有解法</translation>
    </message>
    <message>
        <source>notes</source>
        <translation>讲稿</translation>
    </message>
    <message>
        <source>number of keys that query {query} attends to</source>
        <translation>查询 {query} 所关注的键的个数</translation>
    </message>
    <message>
        <source>one choice does not make a question</source>
        <translation>只有一个选项不成问题</translation>
    </message>
    <message>
        <source>question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>score of query {query} and key {key}</source>
        <translation>查询 {query} 与键 {key} 的分数</translation>
    </message>
    <message>
        <source>solution</source>
        <translation>解法</translation>
    </message>
    <message>
        <source>step {number}</source>
        <translation>第 {number} 步</translation>
    </message>
    <message>
        <source>step {number}, {field}: {problem}</source>
        <translation>第 {number} 步，{field}：{problem}</translation>
    </message>
    <message>
        <source>step {number}: the text of its part {name} would be read as something else</source>
        <translation>第 {number} 步：{name} 部分所写的内容会被读成别的内容</translation>
    </message>
    <message>
        <source>task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>text</source>
        <translation>正文</translation>
    </message>
    <message>
        <source>text once it is done</source>
        <translation>完成后的文字</translation>
    </message>
    <message>
        <source>the lesson</source>
        <translation>这一课</translation>
    </message>
    <message>
        <source>the part {part} is in the text and in the block, or in neither</source>
        <translation>{part} 部分须同时出现在正文和设置块中，或都不出现</translation>
    </message>
    <message>
        <source>the part {said} is before the first step</source>
        <translation>{said} 部分出现在第一步之前</translation>
    </message>
    <message>
        <source>the same as choice {letter}</source>
        <translation>与选项 {letter} 相同</translation>
    </message>
    <message>
        <source>the solution does not complete the task: {said} is not true after it</source>
        <translation>答案没有完成任务：采用它后 {said} 不成立</translation>
    </message>
    <message>
        <source>the step has two parts {said}</source>
        <translation>这一步有两个 {said} 部分</translation>
    </message>
    <message>
        <source>the task is already done when the step opens: {said} is true</source>
        <translation>任务尚未开始就已完成：{said} 并非不成立</translation>
    </message>
    <message>
        <source>the text has {there} choices and the block {asked}</source>
        <translation>正文有 {there} 个选项，而设置块有 {asked} 个</translation>
    </message>
    <message>
        <source>there is no function {said}{near}</source>
        <translation>没有函数 {said}{near}</translation>
    </message>
    <message>
        <source>there is no lesson {said}{near}</source>
        <translation>没有课程 {said}{near}</translation>
    </message>
    <message>
        <source>there is no {name} here{near}</source>
        <translation>这里没有 {name}{near}</translation>
    </message>
    <message>
        <source>title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>weight of query {query} on key {key}</source>
        <translation>查询 {query} 给键 {key} 的权重</translation>
    </message>
    <message>
        <source>{count} of the choices are right, not one</source>
        <translation>有 {count} 个选项是对的，而应恰有一个</translation>
    </message>
    <message>
        <source>{name} takes at most {most} arguments, not {given}</source>
        <translation>{name} 最多接受 {most} 个参数，而不是 {given} 个</translation>
    </message>
    <message>
        <source>{said} has no value here: {why}</source>
        <translation>{said} 在这里没有值：{why}</translation>
    </message>
    <message>
        <source>{said} has several values; a text can show only one</source>
        <translation>{said} 有多个值，而正文此处只容一个</translation>
    </message>
    <message>
        <source>{said} has {length} characters</source>
        <translation>{said} 有 {length} 个字符</translation>
    </message>
    <message>
        <source>{said} is not a matrix of true and false with at most {most} cells</source>
        <translation>{said} 不是由真假值构成、至多 {most} 格的矩阵</translation>
    </message>
    <message>
        <source>{said} is not a number</source>
        <translation>{said} 不是数</translation>
    </message>
    <message>
        <source>{said} is not a number format</source>
        <translation>{said} 不是数的格式</translation>
    </message>
    <message>
        <source>{said} is not an expression</source>
        <translation>{said} 不是表达式</translation>
    </message>
    <message>
        <source>{said} is true in some places and not in others</source>
        <translation>{said} 有些地方成立，有些地方不成立</translation>
    </message>
    <message>
        <source>{said} must be a number of at least 0</source>
        <translation>{said} 必须是不小于 0 的数</translation>
    </message>
    <message>
        <source>{sum} is {value} as it is printed</source>
        <translation>{sum}：按所显示的数算得 {value}</translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/model</name>
    <message>
        <source>1 − cosine of the output</source>
        <translation>1 − 输出的余弦</translation>
    </message>
    <message>
        <source>; nearest: 0</source>
        <translation>；最接近：0</translation>
    </message>
    <message>
        <source>; nearest: no chosen tokens</source>
        <translation>；最接近：不选词元</translation>
    </message>
    <message>
        <source>; nearest: no patch</source>
        <translation>；最接近的：不替换</translation>
    </message>
    <message>
        <source>; nearest: {{}}</source>
        <translation>；最接近的：{{}}</translation>
    </message>
    <message>
        <source>A Hugging Face folder on this machine, with config.json, tokenizer.json and *.safetensors. Nothing is loaded from the network.</source>
        <translation>本机上的 Hugging Face 文件夹，含 config.json、tokenizer.json 和 *.safetensors。不从网络加载任何内容。</translation>
    </message>
    <message>
        <source>A PNG or JPEG file, which a vision transformer or the image side of CLIP or SigLIP reads instead of the text.</source>
        <translation>PNG 或 JPEG 文件，由视觉 Transformer，或 CLIP、SigLIP 的图像一侧代替文本读取。</translation>
    </message>
    <message>
        <source>A patch takes the output of a head from text B, but an image is read</source>
        <translation>修补从文本 B 取头的输出，但现在读取的是图像</translation>
    </message>
    <message>
        <source>A patch takes the output of a head from text B, which is empty</source>
        <translation>替换要从文本 B 取一个头的输出，而文本 B 为空</translation>
    </message>
    <message>
        <source>A second text, to compare with and to patch from.</source>
        <translation>第二段文本，用于比较和替换。</translation>
    </message>
    <message>
        <source>Activation patching: outputs of heads at a token, taken from text B at the same position.</source>
        <translation>头在某个词元处的输出，取自文本 B 的同一位置。</translation>
    </message>
    <message>
        <source>Add those that the tokenizer puts around a text, such as [CLS].</source>
        <translation>加上分词器放在文本前后的词元，例如 [CLS]。</translation>
    </message>
    <message>
        <source>After {token}</source>
        <translation>在{token}之后，</translation>
    </message>
    <message>
        <source>At “{token}” the model predicts “{name}” ({share}); it is first from layer {layer} on.</source>
        <translation>在“{token}”处，模型预测“{name}”（{share}）；从第 {layer} 层起它一直排在第一。</translation>
    </message>
    <message>
        <source>At “{token}” “{name}” ends at rank {rank} ({share}); its best is {best}, after layer {layer}.</source>
        <translation>在“{token}”处，“{name}”最后排在第 {rank}（{share}）；最好的名次是第 {best}，在第 {layer} 层之后。</translation>
    </message>
    <message>
        <source>Attribution</source>
        <translation>归因</translation>
    </message>
    <message>
        <source>Attribution by head</source>
        <translation>按头归因</translation>
    </message>
    <message>
        <source>Beside random heads</source>
        <translation>与随机头组比较</translation>
    </message>
    <message>
        <source>Both have {count} tokens; those after are hatched.</source>
        <translation>两者都有前 {count} 个词元；之后的以斜线标出。</translation>
    </message>
    <message>
        <source>Cells forbidden by hand, of a head or of a layer.</source>
        <translation>手工禁止的格，属于一个头或一层。</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>选词</translation>
    </message>
    <message>
        <source>Choose token {token} as new token {step}</source>
        <translation>选词元 {token} 为第 {step} 个新词元</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>已选</translation>
    </message>
    <message>
        <source>Cosine of the last hidden states with and without the interventions, mean over the tokens</source>
        <translation>有干预与无干预时最后隐藏状态之间的余弦，对词元取平均</translation>
    </message>
    <message>
        <source>Cross</source>
        <translation>交叉</translation>
    </message>
    <message>
        <source>Cross-attention: what each written token attends to in the text</source>
        <translation>交叉注意力：每个写出的词元关注文本中的哪些词元</translation>
    </message>
    <message>
        <source>Decides the sampled tokens.</source>
        <translation>决定采样得到的词元。</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>Divides the logits: small is nearly the most probable token, large is nearly any.</source>
        <translation>logits 除以它：小则几乎总取最可能的词元，大则几乎任意。</translation>
    </message>
    <message>
        <source>Each head turned off</source>
        <translation>逐个关闭头</translation>
    </message>
    <message>
        <source>Each token is drawn; beams are not searched.</source>
        <translation>每个词元由采样得到；不做束搜索。</translation>
    </message>
    <message>
        <source>Each token is the most probable one; beams are not searched.</source>
        <translation>每个词元都取最可能的；不做束搜索。</translation>
    </message>
    <message>
        <source>Empty text B, and take the patch of {heads} back</source>
        <translation>清空文本 B，并撤去 {heads} 的替换</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Entropy by norm</source>
        <translation>按范数的熵</translation>
    </message>
    <message>
        <source>Every head of every layer, one number each, and the text</source>
        <translation>每层的每个头各一个数，以及文本</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Generated text</source>
        <translation>生成的文本</translation>
    </message>
    <message>
        <source>Generated: “{text}”</source>
        <translation>生成：“{text}”</translation>
    </message>
    <message>
        <source>Head {name} is off and adds its mean, though {query} gives {share} to {key}.</source>
        <translation>头 {name} 已关闭，只输出其均值，尽管{query} 把 {share} 给了 {key}。</translation>
    </message>
    <message>
        <source>Head {name} is off and adds nothing, though {query} gives {share} to {key}.</source>
        <translation>头 {name} 已关闭，什么也不输出，尽管{query} 把 {share} 给了 {key}。</translation>
    </message>
    <message>
        <source>Heads are turned off one at a time, so heads that stand in for each other seem to do nothing.</source>
        <translation>每次只关闭一个头，因此互相替代的头看起来没有作用。</translation>
    </message>
    <message>
        <source>Heads to turn off (ablate), as layer.head.</source>
        <translation>输出被去掉的头，写作“层.头”。</translation>
    </message>
    <message>
        <source>How a token is drawn: the logits are divided by the sampling temperature, then the most probable tokens kept.</source>
        <translation>如何采样词元：logits 先除以采样温度，再只保留最可能的词元。</translation>
    </message>
    <message>
        <source>How much a head writes: each weight times the norm of its value after the output projection (Kobayashi et al. 2020)</source>
        <translation>一个头写入多少：每个权重乘以它所放行的值在输出投影之后的长度（Kobayashi 等，2020）</translation>
    </message>
    <message>
        <source>How spread out the rows are, in bits, with each weight multiplied by the norm of its value after the output projection</source>
        <translation>各行有多分散，以比特计；每个权重乘以其值在输出投影之后的长度</translation>
    </message>
    <message>
        <source>In place of {token}</source>
        <translation>在{token}处，</translation>
    </message>
    <message>
        <source>Interventions</source>
        <translation>干预</translation>
    </message>
    <message>
        <source>It compares with heads of the same layers only, turned off in the same way, on this one text.</source>
        <translation>只与同样各层中、以同样方式关闭的头比较，并且只针对这一段文本。</translation>
    </message>
    <message>
        <source>It reads each layer's state as if no layer followed; later layers may still turn it.</source>
        <translation>它读取每层的状态时，好像后面再没有别的层；后面的层还会改变它。</translation>
    </message>
    <message>
        <source>Its mean</source>
        <translation>其均值</translation>
    </message>
    <message>
        <source>Layers now have the model's own numbers: layer {layer} was called layer {former} when this file was saved, so the heads that the file names may be different ones.</source>
        <translation>现在层用模型自己的编号：保存此文件时，第 {layer} 层被称为第 {former} 层，因此其中所写的头可能已是别的头。</translation>
    </message>
    <message>
        <source>Let the model choose new token {step} again</source>
        <translation>第 {step} 个新词元恢复由模型选择</translation>
    </message>
    <message>
        <source>Logit lens</source>
        <translation>Logit 透镜</translation>
    </message>
    <message>
        <source>Lost by ablation</source>
        <translation>消融的损失</translation>
    </message>
    <message>
        <source>Most probable</source>
        <translation>最可能</translation>
    </message>
    <message>
        <source>New token: {a} → {b}</source>
        <translation>新词元：{a} → {b}</translation>
    </message>
    <message>
        <source>Off means</source>
        <translation>关闭即</translation>
    </message>
    <message>
        <source>On sinks</source>
        <translation>在汇上</translation>
    </message>
    <message>
        <source>Output, cosine</source>
        <translation>输出的余弦</translation>
    </message>
    <message>
        <source>Patches</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Pieces of a word are joined: the sum over keys, the mean over queries.</source>
        <translation>同一个词的各部分合在一起：键求和，查询求均值。</translation>
    </message>
    <message>
        <source>Probability of the top prediction at the position shown; none where nothing is predicted</source>
        <translation>所示位置上最可能的词元的概率；不作预测时没有</translation>
    </message>
    <message>
        <source>Read another text, without the interventions on tokens</source>
        <translation>读另一段文本，撤去对词元的干预</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>采样方式</translation>
    </message>
    <message>
        <source>Sampling temperature</source>
        <translation>采样温度</translation>
    </message>
    <message>
        <source>Self-attention of the decoder, over the tokens that it writes</source>
        <translation>解码器的自注意力，作用于它写出的词元</translation>
    </message>
    <message>
        <source>Self-attention of the encoder, which reads the text</source>
        <translation>编码器的自注意力，编码器读入文本</translation>
    </message>
    <message>
        <source>Settings of the folder change the logits: {names}.</source>
        <translation>文件夹的设置会改变 logits：{names}。</translation>
    </message>
    <message>
        <source>Settings of the folder without effect here: {names}.</source>
        <translation>文件夹中在此不起作用的设置：{names}。</translation>
    </message>
    <message>
        <source>Share of the weight on the first token and on special tokens (attention sinks), where a head with nothing to do parks its attention</source>
        <translation>落在第一个词元和特殊词元上的权重之比，无事可做的头停在那里</translation>
    </message>
    <message>
        <source>Special tokens</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>Special tokens are left out: rows no longer sum to 1.</source>
        <translation>略去了特殊词元：各行之和不再为 1。</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标文本</translation>
    </message>
    <message>
        <source>Text B</source>
        <translation>文本 B</translation>
    </message>
    <message>
        <source>The first pass reads the text, and the cache keeps keys and values of it: {size} in {count} layers.</source>
        <translation>第一次前向读取文本，缓存保留其键和值：{count} 层共 {size}。</translation>
    </message>
    <message>
        <source>The first token that differs is token {place}: “{a}” in A, “{b}” in B.</source>
        <translation>第一个不同的词元是第 {place} 个：A 中为“{a}”，B 中为“{b}”。</translation>
    </message>
    <message numerus="yes">
        <source>The first {count} tokens of both texts are the same; those after are hatched.</source>
        <extracomment>one: The first token of both texts is the same; those after are hatched.</extracomment>
        <translation><numerusform>两段文本的前 {count} 个词元相同；其后的画斜线。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The folder names no end token, so {count} tokens are generated.</source>
        <extracomment>one: The folder names no end token, so one token is generated.</extracomment>
        <translation><numerusform>文件夹没有指定结束词元，因此生成 {count} 个词元。</numerusform></translation>
    </message>
    <message>
        <source>The heads are measured over the first {count} tokens until the text is complete.</source>
        <translation>文本完成之前，各头按前 {count} 个词元度量。</translation>
    </message>
    <message>
        <source>The last row is the model's prediction: max difference {rest}.</source>
        <translation>最后一行就是模型的预测：最大差异 {rest}。</translation>
    </message>
    <message>
        <source>The logit lens: what the state after each layer would predict</source>
        <translation>Logit 透镜：每层之后的状态会预测什么</translation>
    </message>
    <message>
        <source>The logit of the top prediction, before a soft cap</source>
        <translation>最可能的预测的 logit，软上限之前</translation>
    </message>
    <message>
        <source>The model says “{class}” ({share}).</source>
        <translation>模型判为“{class}”（{share}）。</translation>
    </message>
    <message>
        <source>The model says “{class}” ({share}); without interventions it says “{before}” ({was}).</source>
        <translation>模型判为“{class}”（{share}）；没有干预时判为“{before}”（{was}）。</translation>
    </message>
    <message>
        <source>The most probable tokens with at least this probability together are drawn from; 1: all.</source>
        <translation>从概率合计至少为此值的最可能词元中采样；1：全部。</translation>
    </message>
    <message>
        <source>The most tokens that the model continues the text with; 0: it only reads the text.</source>
        <translation>模型最多续写多少个词元；0：只读取文本。</translation>
    </message>
    <message>
        <source>The next token: the most probable one at each step, or drawn by its probability. Beams are not searched.</source>
        <translation>下一个词元：每步取最可能的，或按概率采样。不做束搜索。</translation>
    </message>
    <message>
        <source>The number of most probable tokens that are drawn from; 0: all.</source>
        <translation>从多少个最可能的词元中采样；0：全部。</translation>
    </message>
    <message>
        <source>The number of tokens that the model continued the text with</source>
        <translation>模型续写的词元数</translation>
    </message>
    <message>
        <source>The pass for “{token}” reads the keys of the text, made once by the encoder: {size} in {count} layers.</source>
        <translation>“{token}”这一趟读取文本的键，它们由编码器一次算出：{count} 层共 {size}。</translation>
    </message>
    <message>
        <source>The pass for “{token}” reads {old} old keys in a layer and adds its own: {size} in {count} layers.</source>
        <translation>“{token}”的前向在一层中读取 {old} 个旧键并加入自己的键：{count} 层共 {size}。</translation>
    </message>
    <message>
        <source>The probability that the top prediction loses without a head; without a prediction, 1 − cosine</source>
        <translation>没有这个头时最可能的预测失去的概率；没有预测时为 1 − 余弦</translation>
    </message>
    <message>
        <source>The roles that a head stands out in, first the one that it is named after; empty for none</source>
        <translation>头表现突出的各个角色，首先是它据以命名的那个；没有则为空</translation>
    </message>
    <message>
        <source>The scores of all heads are divided by it: small is sharp, large is even.</source>
        <translation>所有头的分数都除以它：小则集中，大则平均。</translation>
    </message>
    <message>
        <source>The text of the tokens that the model continued with</source>
        <translation>模型续写的词元的文本</translation>
    </message>
    <message>
        <source>The text that the model reads.</source>
        <translation>模型读入的文本。</translation>
    </message>
    <message>
        <source>The texts begin with different tokens.</source>
        <translation>两段文本的开头词元就不同。</translation>
    </message>
    <message>
        <source>The token that an encoder-decoder begins its answer with, such as the language it translates into.</source>
        <translation>编码器-解码器的回答以此词元开头，例如要译成的语言。</translation>
    </message>
    <message>
        <source>This model keeps no keys and values: each pass computes the whole text again.</source>
        <translation>此模型不保留键和值：每次前向都重新计算整段文本。</translation>
    </message>
    <message>
        <source>This number compares places within one text. In cross-attention, queries and keys are tokens of different texts, so there is none.</source>
        <translation>这个数比较同一文本中的位置。在交叉注意力中，查询和键是不同文本的词元，因此没有这个数。</translation>
    </message>
    <message>
        <source>Those that you chose take the place of the model's.</source>
        <translation>你选的词元代替了模型的。</translation>
    </message>
    <message>
        <source>Tokens that no token may attend to.</source>
        <translation>任何词元都不得看的词元。</translation>
    </message>
    <message>
        <source>Tokens that you chose in place of the model's.</source>
        <translation>由你选择、代替模型所选的词元。</translation>
    </message>
    <message>
        <source>Top k</source>
        <translation>Top k</translation>
    </message>
    <message>
        <source>Top p</source>
        <translation>Top p</translation>
    </message>
    <message>
        <source>Top probability</source>
        <translation>最高概率</translation>
    </message>
    <message>
        <source>Turning the chosen heads off costs {chosen}; all {all} other sets of as many heads in the same layers cost {low} to {high} (median {median}). {count} of them cost at least as much.</source>
        <translation>关闭所选的头损失 {chosen}；相同各层中同样数目的其他头组共 {all} 个，损失 {low} 到 {high}（中位数 {median}）。其中 {count} 个的损失不小于它。</translation>
    </message>
    <message>
        <source>Turning the chosen heads off costs {chosen}; {all} random sets of as many heads in the same layers cost {low} to {high} (median {median}, seed {seed}). {count} of them cost at least as much: of all such sets at most {most} do (95 % confidence).</source>
        <translation>关闭所选的头损失 {chosen}；相同各层中同样数目的 {all} 个随机头组损失 {low} 到 {high}（中位数 {median}，种子 {seed}）。其中 {count} 个的损失不小于它：在所有这样的头组中，这一比例最多为 {most}（95 % 置信度）。</translation>
    </message>
    <message>
        <source>Weighted by norm</source>
        <translation>按范数加权</translation>
    </message>
    <message>
        <source>What a head adds to the logit of the top prediction (direct logit attribution)</source>
        <translation>一个头对最可能的预测的 logit 的贡献（直接 logit 归因）</translation>
    </message>
    <message>
        <source>What an ablated head outputs: zeros, or its mean over the tokens.</source>
        <translation>关闭的头输出什么：零，或它在各词元上的均值。</translation>
    </message>
    <message>
        <source>What an encoder-decoder has written so far; it goes on from there. Empty: it writes by itself.</source>
        <translation>编码器-解码器至此写出的内容；它由此继续。留空：由它自己写。</translation>
    </message>
    <message>
        <source>What the weights of all layers add up to, from each token to each other one</source>
        <translation>所有层的权重合起来，每个词元从其他词元得到多少</translation>
    </message>
    <message>
        <source>Wrap the text as a user's turn with the folder's chat template, as chat models expect it.</source>
        <translation>用文件夹的对话模板把文本包装为用户的一轮，如对话模型所期望。</translation>
    </message>
    <message>
        <source>as the folder says</source>
        <translation>按文件夹的设置</translation>
    </message>
    <message>
        <source>by chance {chance}; in {agreeing} of {count} rows</source>
        <translation>偶然为 {chance}；{count} 行中有 {agreeing} 行如此</translation>
    </message>
    <message>
        <source>chosen has a token for step {step}, but generate is 0</source>
        <translation>chosen 为第 {step} 步选了词元，但 generate 为 0</translation>
    </message>
    <message>
        <source>chosen has a token for step {step}, but {count} are generated, steps 0..{last}</source>
        <translation>chosen 为第 {step} 步选了词元，但只生成 {count} 个，即第 0..{last} 步</translation>
    </message>
    <message>
        <source>chosen {said} must be an object with a token for each step</source>
        <translation>chosen {said} 必须是为每一步给出词元的对象</translation>
    </message>
    <message>
        <source>encoder {layers} layers × {heads} heads, decoder {decoder} layers × {there} heads</source>
        <translation>编码器 {layers} 层 × {heads} 头，解码器 {decoder} 层 × {there} 头</translation>
    </message>
    <message>
        <source>feature {number}</source>
        <translation>特征 {number}</translation>
    </message>
    <message>
        <source>features {first} and {second}, a turn in {tokens} tokens</source>
        <translation>特征 {first} 与 {second}，每 {tokens} 个词元转一圈</translation>
    </message>
    <message>
        <source>folder is empty; choose a folder with a model</source>
        <translation>folder 为空；请选择一个含有模型的文件夹</translation>
    </message>
    <message>
        <source>generate is {count}, but an image is read, which no token continues</source>
        <translation>generate 为 {count}，但读取的是图像，没有词元续写它</translation>
    </message>
    <message>
        <source>head {name} has no clear role</source>
        <translation>头 {name} 没有突出的角色</translation>
    </message>
    <message>
        <source>head {name} {does} ({score}, {sure})</source>
        <translation>头 {name} {does}（{score}，{sure}）</translation>
    </message>
    <message>
        <source>image prepared by default</source>
        <translation>图像按默认设置准备</translation>
    </message>
    <message>
        <source>in the model </source>
        <translation>模型中</translation>
    </message>
    <message>
        <source>in the text, without the new tokens:</source>
        <translation>在不含新词元的文本中：</translation>
    </message>
    <message>
        <source>in {agreeing} of {count} rows</source>
        <translation>{count} 行中有 {agreeing} 行如此</translation>
    </message>
    <message numerus="yes">
        <source>in {count} layers only the weights are known</source>
        <extracomment>one: in 1 layer only these are known</extracomment>
        <translation><numerusform>有 {count} 层只知道权重</numerusform></translation>
    </message>
    <message>
        <source>last states, cosine {cosine}</source>
        <translation>最后的状态，余弦 {cosine}</translation>
    </message>
    <message>
        <source>layer {layer} has no attention ({what})</source>
        <translation>第 {layer} 层没有注意力（{what}）</translation>
    </message>
    <message>
        <source>layer {layer} must be in 1..{last}</source>
        <translation>层 {layer} 须在 1..{last} 中</translation>
    </message>
    <message>
        <source>most changed: “{token}”, cosine {cosine}</source>
        <translation>变化最大：“{token}”，余弦 {cosine}</translation>
    </message>
    <message>
        <source>new token {count} of {most}</source>
        <translation>新词元 {count} / {most}</translation>
    </message>
    <message>
        <source>patch takes the output of a head from text_b, but an image is read</source>
        <translation>patch 从 text_b 取头的输出，但现在读取的是图像</translation>
    </message>
    <message>
        <source>patch takes the output of a head from text_b, which is empty</source>
        <translation>patch 要从 text_b 取一个头的输出，而 text_b 为空</translation>
    </message>
    <message>
        <source>probability lost</source>
        <translation>损失的概率</translation>
    </message>
    <message>
        <source>roles compare places within one text, so head {name} has none here</source>
        <translation>角色比较同一文本中的位置，因此头 {name} 在这里没有角色</translation>
    </message>
    <message>
        <source>sampled at {temperature}, top k {k}, top p {p}, seed {seed}</source>
        <translation>按温度 {temperature} 采样，top k {k}，top p {p}，种子 {seed}</translation>
    </message>
    <message>
        <source>they act in every pass, from “{token}” ({number}) on</source>
        <translation>在每一遍中都起作用，从“{token}”（{number}）开始</translation>
    </message>
    <message>
        <source>weights that move most: {heads}</source>
        <translation>权重变化最大的头：{heads}</translation>
    </message>
    <message>
        <source>without interventions, {found}</source>
        <translation>没有干预时，{found}</translation>
    </message>
    <message numerus="yes">
        <source>{count} chosen new tokens: {tokens}</source>
        <extracomment>one: chosen new token: {tokens}</extracomment>
        <translation><numerusform>由你选择的 {count} 个新词元：{tokens}</numerusform></translation>
    </message>
    <message>
        <source>{count} of the {all} other heads of its layer cost at least as much ({low} to {high})</source>
        <translation>同层其余 {all} 个头中有 {count} 个的损失不小于它（{low} 到 {high}）</translation>
    </message>
    <message>
        <source>{count} parameters</source>
        <translation>{count} 个参数</translation>
    </message>
    <message>
        <source>{dtype} file, {size} MB</source>
        <translation>{dtype} 文件，{size} MB</translation>
    </message>
    <message>
        <source>{kv} key-value heads</source>
        <translation>{kv} 个键值头</translation>
    </message>
    <message>
        <source>{kv} to {most} key-value heads</source>
        <translation>{kv} 到 {most} 个键值头</translation>
    </message>
    <message>
        <source>{layers} layers ({attending} with attention) × {heads} heads</source>
        <translation>{layers} 层（其中 {attending} 层有注意力）× {heads} 个头</translation>
    </message>
    <message>
        <source>{layers} layers × {heads} heads</source>
        <translation>{layers} 层 × {heads} 个头</translation>
    </message>
    <message>
        <source>{role}; {query} gives {share} to {key}.</source>
        <translation>{role}；{query} 把 {share} 给了 {key}。</translation>
    </message>
    <message>
        <source>{said} in chosen must be a step, counted from 0</source>
        <translation>chosen 中的 {said} 必须是从 0 数起的步</translation>
    </message>
    <message>
        <source>{said} in chosen, at step {step}, must be the number of a token</source>
        <translation>chosen 中第 {step} 步的 {said} 必须是词元编号</translation>
    </message>
    <message>
        <source>{there} the model predicts “{token}” ({share}).</source>
        <translation>{there}模型预计“{token}”（{share}）。</translation>
    </message>
    <message>
        <source>{there} the model predicts “{token}” ({share}); without interventions it predicts “{before}” ({was}).</source>
        <translation>{there}模型预计“{token}”（{share}）；若无干预，预计“{before}”（{was}）。</translation>
    </message>
    <message>
        <source>{token} no longer counts as a special token, because the tokenizer does not add it around a text: roles and the text without special tokens may differ from those shown when this file was saved.</source>
        <translation>{token} 不再算作特殊词元，因为它不是分词器放在文本两边的：角色以及略去特殊词元的文本可能与保存此文件时所显示的不同。</translation>
    </message>
    <message>
        <source>{what} differ from the model's own by at most {difference}</source>
        <translation>{what}与模型自己的最多相差 {difference}</translation>
    </message>
    <message>
        <source>{what} equal the model's own: max difference 0</source>
        <translation>{what}与模型自己的相等：最大差 0</translation>
    </message>
    <message>
        <source>“Weighted by norm” now counts the weights beside learned sinks as they are, and the other measures divide every row by its sum: they may differ from those shown when this file was saved.</source>
        <translation>“按范数加权”现在按原样计入有可学习汇时的权重，其他度量则把每一行除以它的和：它们可能与保存此文件时所显示的不同。</translation>
    </message>
    <message>
        <source>“{token}” ends the text.</source>
        <translation>“{token}”结束文本。</translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/model/interventions</name>
    <message>
        <source>; nearest: one text with all its cells</source>
        <translation>；最接近的：一个包含其全部格子的文本</translation>
    </message>
    <message numerus="yes">
        <source>Hide tokens {tokens}</source>
        <extracomment>one: Hide token {tokens}</extracomment>
        <translation><numerusform>隐藏词元 {tokens}</numerusform></translation>
    </message>
    <message>
        <source>Paint the mask of {heads}</source>
        <translation>绘制 {heads} 的掩码</translation>
    </message>
    <message>
        <source>Patch {heads} from text B</source>
        <translation>用文本 B 替换 {heads}</translation>
    </message>
    <message numerus="yes">
        <source>Show tokens {tokens} again</source>
        <extracomment>one: Show token {tokens} again</extracomment>
        <translation><numerusform>重新显示词元 {tokens}</numerusform></translation>
    </message>
    <message>
        <source>Take the mask of {heads} back</source>
        <translation>撤去 {heads} 的掩码</translation>
    </message>
    <message>
        <source>Take the patch of {heads} back</source>
        <translation>撤去 {heads} 的替换</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message numerus="yes">
        <source>Turn heads {heads} off</source>
        <extracomment>one: Turn head {heads} off</extracomment>
        <translation><numerusform>关闭头 {heads}</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Turn heads {heads} on again</source>
        <extracomment>one: Turn head {heads} on again</extracomment>
        <translation><numerusform>重新打开头 {heads}</numerusform></translation>
    </message>
    <message>
        <source>hidden: {tokens}</source>
        <translation>隐去：{tokens}</translation>
    </message>
    <message>
        <source>off, as their mean: {heads}</source>
        <translation>已关闭（取均值）：{heads}</translation>
    </message>
    <message>
        <source>painted names {said} twice</source>
        <translation>painted 两次指定了 {said}</translation>
    </message>
    <message>
        <source>painted {said} must be an object with a text for each head or layer</source>
        <translation>painted {said} 须是一个对象，每个头或每层一段文本</translation>
    </message>
    <message>
        <source>painted: {heads}</source>
        <translation>涂画：{heads}</translation>
    </message>
    <message>
        <source>patched: {heads}</source>
        <translation>替换：{heads}</translation>
    </message>
    <message>
        <source>temperature {temperature}</source>
        <translation>温度 {temperature}</translation>
    </message>
    <message>
        <source>{said} in painted must name a head or a layer, such as 3.4 or 3</source>
        <translation>painted 中的 {said} 须指明一个头或一层，例如 3.4 或 3</translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/model/residual</name>
    <message>
        <source>Attribution and ablation agree on every head.</source>
        <translation>归因与消融对每个头都一致。</translation>
    </message>
    <message>
        <source>Each norm's scale is held fixed, and how later parts respond to a head is not counted.</source>
        <translation>每个归一化的缩放视为固定，后面的部分对头的反应不计入。</translation>
    </message>
    <message>
        <source>Head {head} adds {adds}, but without it the logit changes by {lost} only: later parts, and norms that rescale, make up for it.</source>
        <translation>头 {head} 贡献 {adds}，但没有它时 logit 只变化 {lost}：后面的部分以及重新缩放的归一化弥补了它。</translation>
    </message>
    <message>
        <source>Head {head} adds {adds}, but without it the logit changes by {lost}: later parts depend on it.</source>
        <translation>头 {head} 贡献 {adds}，但没有它时 logit 变化 {lost}：后面的部分依赖于它。</translation>
    </message>
    <message>
        <source>Logit of {token} {logit}: {parts} (rest {rest}).</source>
        <translation>{token} 的 logit 为 {logit}：{parts}（余数 {rest}）。</translation>
    </message>
    <message>
        <source>MLPs {value}</source>
        <translation>MLP {value}</translation>
    </message>
    <message>
        <source>added to the logit of {token}</source>
        <translation>对 {token} 的 logit 的贡献</translation>
    </message>
    <message>
        <source>biases {value}</source>
        <translation>偏置 {value}</translation>
    </message>
    <message>
        <source>cross heads {value}</source>
        <translation>交叉注意力的头 {value}</translation>
    </message>
    <message>
        <source>decoder heads {value}</source>
        <translation>解码器的头 {value}</translation>
    </message>
    <message>
        <source>embedding {value}</source>
        <translation>嵌入 {value}</translation>
    </message>
    <message>
        <source>heads {value}</source>
        <translation>头 {value}</translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/model/token_maps</name>
    <message>
        <source>A learned sink takes a part of each row of weights, so that rows sum to less than 1.</source>
        <translation>可学习的汇（sink）占去每行权重的一部分，所以各行之和小于 1。</translation>
    </message>
    <message>
        <source>A learned sink takes a part of each row of weights. It is no token, so each row is divided by its sum.</source>
        <translation>可学习的汇（sink）占去每行权重的一部分。它不是词元，所以每行除以其和。</translation>
    </message>
    <message>
        <source>Source: {source}.</source>
        <translation>来源：{source}。</translation>
    </message>
    <message>
        <source>The logit is that of “{token}”, predicted at “{position}”.</source>
        <translation>logit 属于“{token}”，在“{position}”处预测。</translation>
    </message>
    <message>
        <source>The logit is that of “{token}”.</source>
        <translation>logit 属于“{token}”。</translation>
    </message>
    <message>
        <source>layers {first} to {last}</source>
        <translation>第 {first} 至 {last} 层</translation>
    </message>
    <message numerus="yes">
        <source>{count} layers without attention are left out.</source>
        <extracomment>one: One layer without attention is left out.</extracomment>
        <translation><numerusform>{count} 个没有注意力的层未计入。</numerusform></translation>
    </message>
    <message>
        <source>“{query}”: {own} on itself.</source>
        <translation>“{query}”：自身 {own}。</translation>
    </message>
    <message>
        <source>“{query}”: {own} on itself; of the others “{key}” has most: {number}.</source>
        <translation>“{query}”：自身 {own}，其余最多的是“{key}”：{number}。</translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/regression</name>
    <message>
        <source> (truth {value})</source>
        <translation>（真值 {value}）</translation>
    </message>
    <message>
        <source>1 / |w| of each head after the last step</source>
        <translation>最后一步之后各头的 1 / |w|</translation>
    </message>
    <message>
        <source>; '{cell}' has thousands separators</source>
        <translation>；“{cell}”含有千位分隔符</translation>
    </message>
    <message>
        <source>; '{cell}' is a missing number</source>
        <translation>；“{cell}”表示缺失的数</translation>
    </message>
    <message>
        <source>; it has {count} columns, and points have two: remove the others</source>
        <translation>；它有 {count} 列，而点只有两列：请去掉其余的列</translation>
    </message>
    <message>
        <source>; nearest: a table saved as CSV UTF-8</source>
        <translation>；最接近的：另存为 CSV UTF-8 的表格</translation>
    </message>
    <message>
        <source>; nearest: gaussian</source>
        <translation>；最接近的：gaussian</translation>
    </message>
    <message>
        <source>; nearest: without this line</source>
        <translation>；最接近的：去掉这一行</translation>
    </message>
    <message>
        <source>; nearest: {nearest:g}</source>
        <translation>；最接近的：{nearest:g}</translation>
    </message>
    <message>
        <source>; nearest: {nearest} of each</source>
        <translation>；最接近的：各 {nearest} 个</translation>
    </message>
    <message numerus="yes">
        <source>; nor are at least {count} more</source>
        <extracomment>one: ; nor is at least 1 more</extracomment>
        <translation><numerusform>；至少还有 {count} 行也不是</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>; nor are {count} more</source>
        <extracomment>one: ; nor is 1 more</extracomment>
        <translation><numerusform>；还有 {count} 行也不是</numerusform></translation>
    </message>
    <message>
        <source>Add a point</source>
        <translation>添加点</translation>
    </message>
    <message numerus="yes">
        <source>After {count} steps {now}; the loss before the last step was {loss}.</source>
        <extracomment>one: After {count} step {now}; the loss before it was {loss}.</extracomment>
        <translation><numerusform>{count} 步之后，{now}；最后一步之前的损失为 {loss}。</numerusform></translation>
    </message>
    <message>
        <source>Average</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Before the first step {now}.</source>
        <translation>第一步之前，{now}。</translation>
    </message>
    <message>
        <source>Beyond the textbook: several heads, each with a w of its own, averaged by shares that are learned too; the bridge to multi-head attention.</source>
        <translation>教科书之外：多个头，各有自己的 w，按同样学得的比例取平均；由此过渡到多头注意力。</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Data seed</source>
        <translation>数据种子</translation>
    </message>
    <message>
        <source>Decides the first w where it is drawn.</source>
        <translation>w 初值随机抽取时，由它决定。</translation>
    </message>
    <message>
        <source>Delete a point</source>
        <translation>删除点</translation>
    </message>
    <message>
        <source>End</source>
        <translation>终点</translation>
    </message>
    <message>
        <source>End {stop:g} must be above start {start:g}</source>
        <translation>终点 {stop:g} 必须大于起点 {start:g}</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Error to the truth</source>
        <translation>与真实函数的误差</translation>
    </message>
    <message>
        <source>Every kernel at four widths: fits and weights</source>
        <translation>每种核在四种带宽下的拟合与权重</translation>
    </message>
    <message>
        <source>Extension</source>
        <translation>扩展</translation>
    </message>
    <message>
        <source>First value of w = 1/width (times 1, 2, ... for several heads); off draws it from [0, 1).</source>
        <translation>w = 1/带宽 的初值（多个头时乘以 1, 2, ...）；关闭则从 [0, 1) 抽取。</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Further estimators on the same points; their curves are drawn beside this one.</source>
        <translation>同一组点上的其他估计器；其曲线与这条画在一起。</translation>
    </message>
    <message>
        <source>How far a query looks; narrow copies the noise, wide smooths everything.</source>
        <translation>查询看得多远；窄则照抄噪声，宽则抹平一切。</translation>
    </message>
    <message>
        <source>How the errors depend on the width, and where they are least</source>
        <translation>误差如何随带宽变化，在哪里最小</translation>
    </message>
    <message>
        <source>How the gradients move the widths: all by one step size, or each by its own.</source>
        <translation>梯度如何更新带宽：共用一个步长，或各有自己的步长。</translation>
    </message>
    <message>
        <source>How weight falls with distance.</source>
        <translation>权重如何随距离下降。</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>核</translation>
    </message>
    <message>
        <source>Learned w</source>
        <translation>学到的 w</translation>
    </message>
    <message>
        <source>Leave one out</source>
        <translation>留一法</translation>
    </message>
    <message>
        <source>Leave-one-out error</source>
        <translation>留一误差</translation>
    </message>
    <message>
        <source>Loss and width over the steps of the training</source>
        <translation>训练各步的损失与带宽</translation>
    </message>
    <message>
        <source>Mean squared error of the curve against the function without noise</source>
        <translation>曲线与无噪声函数之间的均方误差</translation>
    </message>
    <message>
        <source>Move a point</source>
        <translation>移动点</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>噪声</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>点</translation>
    </message>
    <message numerus="yes">
        <source>Query x = {x} is {distance} from the nearest of {count} training points, {point}, and {far} from the farthest.</source>
        <extracomment>one: Query x = {x} is {distance} from the one training point, {point}.</extracomment>
        <translation><numerusform>查询 x = {x} 到 {count} 个训练点中最近的 {point} 距离 {distance}，到最远的距离 {far}。</numerusform></translation>
    </message>
    <message>
        <source>Query x = {x} minus the training point {point} is {difference}.</source>
        <translation>查询 x = {x} 减去训练点 {point} 得 {difference}。</translation>
    </message>
    <message>
        <source>Spacing</source>
        <translation>步长</translation>
    </message>
    <message>
        <source>Spacing {step:g} makes more than {most} queries</source>
        <translation>步长 {step:g} 会产生超过 {most} 个查询</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>Start w</source>
        <translation>w 初值</translation>
    </message>
    <message>
        <source>Step size of the gradient descent.</source>
        <translation>梯度下降的步长。</translation>
    </message>
    <message>
        <source>Synthetic</source>
        <translation>合成</translation>
    </message>
    <message>
        <source>Textbook</source>
        <translation>教科书</translation>
    </message>
    <message>
        <source>The curve, its weights and its training</source>
        <translation>曲线、它的权重与训练</translation>
    </message>
    <message>
        <source>The sum of squared errors before the last step</source>
        <translation>最后一步之前的误差平方和</translation>
    </message>
    <message>
        <source>The w of each head after the last step</source>
        <translation>最后一步之后各头的 w</translation>
    </message>
    <message>
        <source>Training steps; each sees all points.</source>
        <translation>训练的步数；每步用到所有点。</translation>
    </message>
    <message>
        <source>Untrained: random w, seed {seed}</source>
        <translation>未训练：w 随机，种子 {seed}</translation>
    </message>
    <message>
        <source>Untrained: w starts at {w}</source>
        <translation>未训练：w 的初值为 {w}</translation>
    </message>
    <message>
        <source>Weights of a query with no training point in reach: all 0, all equal (as after a fill of -1e6), or NaN. The curve has a gap there in any case.</source>
        <translation>核范围内没有训练点的查询的权重：全为 0、全相等（如用 -1e6 填充），或 NaN。无论哪种，曲线在此都断开。</translation>
    </message>
    <message>
        <source>Where the curve is predicted: start, stop, step.</source>
        <translation>在哪里预测曲线：起点、终点、步长。</translation>
    </message>
    <message>
        <source>Where the training points come from.</source>
        <translation>训练点从哪里来。</translation>
    </message>
    <message>
        <source>While training, a point is not among its own keys, so that it cannot copy itself.</source>
        <translation>训练时，一个点不在自己的键之中，因此不能照抄自己。</translation>
    </message>
    <message>
        <source>Width σ</source>
        <translation>带宽 σ</translation>
    </message>
    <message>
        <source>at x = {x}, {the_point} has the height {height}.</source>
        <translation>在 x = {x} 处，{the_point} 的高度为 {height}。</translation>
    </message>
    <message>
        <source>at x = {x}, {the_point} has u = {u} and the height {height}.</source>
        <translation>在 x = {x} 处，{the_point} 的 u = {u}，高度为 {height}。</translation>
    </message>
    <message>
        <source>average: all equal. nonparametric: a kernel of fixed width. parametric: the width is learned.</source>
        <translation>average：权重全相等。nonparametric：核的带宽固定。parametric：带宽是学得的。</translation>
    </message>
    <message>
        <source>before training</source>
        <translation>训练前</translation>
    </message>
    <message>
        <source>choose a CSV file with two columns, x and y</source>
        <translation>选择一个有 x 和 y 两列的 CSV 文件</translation>
    </message>
    <message>
        <source>differences</source>
        <translation>差</translation>
    </message>
    <message>
        <source>drawn</source>
        <translation>随机抽取</translation>
    </message>
    <message>
        <source>f({x}) = {y}{truth}; {point} adds {part}, the largest part of {points}: {share} of y = {output}.</source>
        <translation>f({x}) = {y}{truth}；{point} 贡献 {part}，在 {points} 中最大：y = {output} 的 {share}。</translation>
    </message>
    <message>
        <source>f({x}) = {y}{truth}; {point} adds {part}: {share} of y = {output}.</source>
        <translation>f({x}) = {y}{truth}；{point} 贡献 {part}：y = {output} 的 {share}。</translation>
    </message>
    <message>
        <source>f({x}) is not finite (NaN or infinite): the training diverged.</source>
        <translation>f({x}) 不是有限数（NaN 或无穷）：训练已发散。</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>核</translation>
    </message>
    <message>
        <source>kernel '{kernel}' cannot have a learned width here</source>
        <translation>核 '{kernel}' 在此不能学习带宽</translation>
    </message>
    <message>
        <source>line {line}: '{said}' is not two finite numbers{others}{remedy}</source>
        <translation>第 {line} 行：“{said}”不是两个有限的数{others}{remedy}</translation>
    </message>
    <message>
        <source>no training point is in reach of x = {x}, so the curve has a gap there.</source>
        <translation>x = {x} 的核范围内没有训练点，因此曲线在此断开。</translation>
    </message>
    <message numerus="yes">
        <source>no training point is in reach of x = {x}: the policy {policy} predicts {y}{truth}, the mean of all {count} outputs.</source>
        <extracomment>one: no training point is in reach of x = {x}: the policy {policy} predicts {y}{truth}, the one output.</extracomment>
        <translation><numerusform>x = {x} 的核范围内没有训练点：“{policy}”给出预测 {y}{truth}，即全部 {count} 个输出的均值。</numerusform></translation>
    </message>
    <message>
        <source>overlays {first} and {second} are the same curve</source>
        <translation>叠加曲线 {first} 与 {second} 是同一条曲线</translation>
    </message>
    <message>
        <source>points need as many y as x, and at least one; got {xs} x and {ys} y</source>
        <translation>点的 y 必须与 x 一样多，且至少一个；现有 {xs} 个 x 和 {ys} 个 y</translation>
    </message>
    <message>
        <source>pooling</source>
        <translation>汇聚</translation>
    </message>
    <message>
        <source>query x = {x} gives {share} of its attention to each of {ties} points of {count}, {point} among them, the most.</source>
        <translation>查询 x = {x} 给 {ties} 个点各 {share} 的注意力（{point} 是其中之一），在 {count} 个点中最多。</translation>
    </message>
    <message>
        <source>query x = {x} gives {share} of its attention to {point}, number {rank} of {points}.</source>
        <translation>查询 x = {x} 把 {share} 的注意力给 {point}，在 {points} 中排第 {rank}。</translation>
    </message>
    <message>
        <source>query x = {x} spreads its attention evenly over {reached} of {points}, {share} each.</source>
        <translation>查询 x = {x} 把注意力均匀分给 {points} 中的 {reached} 个，各 {share}。</translation>
    </message>
    <message>
        <source>random start</source>
        <translation>随机初值</translation>
    </message>
    <message>
        <source>stopped before the overlays were there</source>
        <translation>叠加曲线尚未得出就已停止</translation>
    </message>
    <message numerus="yes">
        <source>the average has no kernel: each of the {count} training points has the height 1.</source>
        <extracomment>one: the average has no kernel: the one training point has the height 1.</extracomment>
        <translation><numerusform>平均没有核：{count} 个训练点的高度都为 1。</numerusform></translation>
    </message>
    <message>
        <source>the nearest point, {point},</source>
        <translation>最近的点 {point}</translation>
    </message>
    <message>
        <source>the only point cannot be removed; at least 1 is needed</source>
        <translation>唯一的点不能删除；至少需要 1 个</translation>
    </message>
    <message>
        <source>the point {point}</source>
        <translation>点 {point}</translation>
    </message>
    <message>
        <source>the text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>the w of {heads} heads are from {low} to {high}</source>
        <translation>{heads} 个头的 w 从 {low} 到 {high}</translation>
    </message>
    <message numerus="yes">
        <source>the {count} weights of x = {x} are NaN (not a number): the training diverged.</source>
        <extracomment>one: the one weight of x = {x} is NaN (not a number): the training diverged.</extracomment>
        <translation><numerusform>x = {x} 的 {count} 个权重为 NaN（不是数）：训练已发散。</numerusform></translation>
    </message>
    <message>
        <source>the {kernel} of width {width} at x = {x} reaches {reached} of {points}; {the_point} has the height {height}.</source>
        <translation>在 x = {x} 处，{kernel}（带宽 {width}）覆盖 {points} 中的 {reached} 个；{the_point} 的高度为 {height}。</translation>
    </message>
    <message>
        <source>there are {count} points already; at most {most} are possible</source>
        <translation>已有 {count} 个点；最多 {most} 个</translation>
    </message>
    <message>
        <source>w is {w}, the kernel's width {width}</source>
        <translation>w 为 {w}，核的带宽为 {width}</translation>
    </message>
    <message>
        <source>x = {x}</source>
        <translation>x = {x}</translation>
    </message>
    <message>
        <source>x = {x} (point {number})</source>
        <translation>x = {x}（点 {number}）</translation>
    </message>
    <message>
        <source>x_test step {step} makes more than {most} queries</source>
        <translation>x_test 的步长 {step} 会产生超过 {most} 个查询</translation>
    </message>
    <message>
        <source>x_test stop {stop} must be above start {start}</source>
        <translation>x_test 的终点 {stop} 必须大于起点 {start}</translation>
    </message>
    <message numerus="yes">
        <source>{count} points</source>
        <extracomment>one: {count} point</extracomment>
        <translation><numerusform>{count} 个点</numerusform></translation>
    </message>
    <message>
        <source>{name} holds points, which the kernel-regression lab takes.</source>
        <translation>{name} 含有数据点，应由核回归实验室打开。</translation>
    </message>
    <message>
        <source>{name} {value:g} must be a finite number, at most {most:g} in size</source>
        <translation>{name} {value:g} 必须是有限数，绝对值不大于 {most:g}</translation>
    </message>
    <message>
        <source>{name} {value} of point {place} must be a finite number, at most {most} in size</source>
        <translation>点 {place} 的 {name} {value} 必须是有限数，绝对值不大于 {most}</translation>
    </message>
    <message>
        <source>{path} is not a CSV text file</source>
        <translation>{path} 不是 CSV 文本文件</translation>
    </message>
    <message>
        <source>{text} holds more than {most} points</source>
        <translation>{text} 含有超过 {most} 个点</translation>
    </message>
    <message>
        <source>{text} holds no points</source>
        <translation>{text} 不含任何点</translation>
    </message>
    <message>
        <source>{text} is larger than {limit} MiB, which {points} points never are</source>
        <translation>{text} 超过 {limit} MiB，而 {points} 个点绝不会这么大</translation>
    </message>
    <message>
        <source>{text}, line {line}: '{said}' is not two finite numbers{others}{remedy}</source>
        <translation>{text} 第 {line} 行：“{said}”不是两个有限的数{others}{remedy}</translation>
    </message>
    <message>
        <source>{when}, average of {heads} heads</source>
        <translation>{when}，{heads} 个头的平均</translation>
    </message>
    <message>
        <source>{when}, head {head}, w = {w}</source>
        <translation>{when}，头 {head}，w = {w}</translation>
    </message>
    <message>
        <source>{when}, w = {w}</source>
        <translation>{when}，w = {w}</translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/sweeps</name>
    <message>
        <source>; nearest {field}: {nearest}</source>
        <translation>；最接近的 {field}：{nearest}</translation>
    </message>
    <message>
        <source>; nearest: 0:{last:g}</source>
        <translation>；最接近的：0:{last:g}</translation>
    </message>
    <message>
        <source>; nearest: a spec of another mechanism</source>
        <translation>；最接近的：换用其他机制的设定</translation>
    </message>
    <message>
        <source>; nearest: all its values in one list</source>
        <translation>；最接近的：把所有值写在一个列表里</translation>
    </message>
    <message>
        <source>; nearest: its lines before line {line}</source>
        <translation>；最接近的：第 {line} 行之前的各行</translation>
    </message>
    <message>
        <source>; nearest: true</source>
        <translation>；最接近的：true</translation>
    </message>
    <message>
        <source>; nearest: {example}</source>
        <translation>；最接近的：{example}</translation>
    </message>
    <message>
        <source>; nearest: {name}({nearest})</source>
        <translation>；最接近的：{name}({nearest})</translation>
    </message>
    <message>
        <source>; nearest: {nearest} each</source>
        <translation>；最接近的：各 {nearest} 个</translation>
    </message>
    <message>
        <source>No run has finished yet.</source>
        <translation>还没有运行结束。</translation>
    </message>
    <message>
        <source>No run has succeeded yet.</source>
        <translation>还没有运行正常结束。</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>it cannot be read: {why}</source>
        <translation>无法读取：{why}</translation>
    </message>
    <message>
        <source>it has more than {count} values</source>
        <translation>它有多于 {count} 个值</translation>
    </message>
    <message>
        <source>it has no line with a value</source>
        <translation>其中没有一行有值</translation>
    </message>
    <message>
        <source>its first row has no names of columns</source>
        <translation>它的第一行没有列名</translation>
    </message>
    <message>
        <source>its lines have the fields {listing}, and none is named</source>
        <translation>它的各行有字段 {listing}，而没有指定其中任何一个</translation>
    </message>
    <message>
        <source>layer {layer}</source>
        <translation>第 {layer} 层</translation>
    </message>
    <message>
        <source>line {line}</source>
        <translation>第 {line} 行</translation>
    </message>
    <message>
        <source>line {line} has {cells} cells, and the header has {header}</source>
        <translation>第 {line} 行有 {cells} 个单元格，而表头有 {header} 个</translation>
    </message>
    <message>
        <source>line {line} is longer than {most} MiB</source>
        <translation>第 {line} 行长于 {most} MiB</translation>
    </message>
    <message>
        <source>line {line} is not CSV: {why}</source>
        <translation>第 {line} 行不是 CSV：{why}</translation>
    </message>
    <message>
        <source>line {line} is not UTF-8 text</source>
        <translation>第 {line} 行不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>line {line} is not a JSON object</source>
        <translation>第 {line} 行不是 JSON 对象</translation>
    </message>
    <message>
        <source>line {line}: field {field} must be a text, a number, true or false, not {said}</source>
        <translation>第 {line} 行：字段 {field} 须为文本、数、true 或 false，而不是 {said}</translation>
    </message>
    <message>
        <source>no field is swept</source>
        <translation>没有扫描任何字段</translation>
    </message>
    <message>
        <source>no run of the sweep is legal; {why}</source>
        <translation>扫描中没有一次运行是合法的；{why}</translation>
    </message>
    <message>
        <source>no value of {field}={wanted} is legal; {why}{nearest}</source>
        <translation>{field}={wanted} 中没有合法值；{why}{nearest}</translation>
    </message>
    <message>
        <source>paired fields must have the same number of values, not {said}</source>
        <translation>配对的字段必须有同样多的值，而不是 {said}</translation>
    </message>
    <message>
        <source>sweep {said} must read FIELD=FIRST:LAST, FIELD=FIRST:LAST:STEP or FIELD=V1,V2,V3</source>
        <translation>扫描 {said} 必须写成 FIELD=FIRST:LAST、FIELD=FIRST:LAST:STEP 或 FIELD=V1,V2,V3</translation>
    </message>
    <message>
        <source>the colour of a head is by role or by layer, not {name}{near}</source>
        <translation>头的颜色按角色（role）或按层（layer），而不是 {name}{near}</translation>
    </message>
    <message>
        <source>the row that begins at line {line} is larger than {most} MiB: is a quotation mark open?</source>
        <translation>从第 {line} 行开始的一行大于 {most} MiB：是否有未闭合的引号？</translation>
    </message>
    <message>
        <source>the sweep has {count} runs, and must have at most {most}</source>
        <translation>扫描有 {count} 次运行，最多只能有 {most} 次</translation>
    </message>
    <message>
        <source>the values before line {line} are {count}, and no more than {most} MiB are read</source>
        <translation>第 {line} 行之前有 {count} 个值，而最多读取 {most} MiB</translation>
    </message>
    <message>
        <source>there is no field {said} beside {part}.kind '{kind}'</source>
        <translation>{part}.kind 为 '{kind}' 时没有字段 {said}</translation>
    </message>
    <message>
        <source>there is no field {said} in this spec</source>
        <translation>此设定中没有字段 {said}</translation>
    </message>
    <message>
        <source>there is no {column} among {listing}</source>
        <translation>在 {listing} 之中没有 {column}</translation>
    </message>
    <message>
        <source>these runs have no measure with a number per head</source>
        <translation>这些运行没有每个头各有一个数的指标</translation>
    </message>
    <message>
        <source>{count} columns are named {column}</source>
        <translation>有 {count} 列名为 {column}</translation>
    </message>
    <message numerus="yes">
        <source>{count} runs</source>
        <extracomment>one: 1 run</extracomment>
        <translation><numerusform>{count} 次运行</numerusform></translation>
    </message>
    <message>
        <source>{field} cannot be swept: given weights are shown as they are, with no setting to sweep</source>
        <translation>{field} 不能扫描：给定的权重按原样显示，没有可扫描的旋钮</translation>
    </message>
    <message>
        <source>{field} changes nothing beside the other fields of this spec</source>
        <translation>{field} 与此设定的其他字段一起时不起作用</translation>
    </message>
    <message>
        <source>{field} has no value</source>
        <translation>{field} 没有值</translation>
    </message>
    <message>
        <source>{field} is not a number that can be swept</source>
        <translation>{field} 不是可扫描的数</translation>
    </message>
    <message>
        <source>{field} is not a number, name or text that can be swept</source>
        <translation>{field} 不是可以扫描的数、名称或文本</translation>
    </message>
    <message>
        <source>{field} is swept twice</source>
        <translation>{field} 被扫描了两次</translation>
    </message>
    <message>
        <source>{field}: count {count} must be from 1 to {most}</source>
        <translation>{field}：个数 {count} 须在 1 到 {most} 之间</translation>
    </message>
    <message>
        <source>{field}: step {step} from {first} to {last} makes more than {most} frames</source>
        <translation>{field}：从 {first} 到 {last}、步长 {step} 会超过 {most} 帧</translation>
    </message>
    <message>
        <source>{field}: step {step} must be above 0</source>
        <translation>{field}：步长 {step} 必须大于 0</translation>
    </message>
    <message>
        <source>{field}: this step makes more than {most} values</source>
        <translation>{field}：这个步长产生多于 {most} 个值</translation>
    </message>
    <message>
        <source>{field}: value {said} must be true or false</source>
        <translation>{field}：值 {said} 须为 true 或 false</translation>
    </message>
    <message>
        <source>{field}: value {said} must be {kind}</source>
        <translation>{field}：值 {said} 须为{kind}</translation>
    </message>
    <message>
        <source>{field}: {count} values are more than {most}</source>
        <translation>{field}：{count} 个值超过了上限 {most}</translation>
    </message>
    <message>
        <source>{field}: {end} in {name}(...) must be above 0, since the values are spaced logarithmically</source>
        <translation>{field}：{name}(...) 中的 {end} 须大于 0，因为它按指数计</translation>
    </message>
    <message>
        <source>{field}: {first:g} and {last:g} are too far apart</source>
        <translation>{field}：{first:g} 与 {last:g} 相距太远</translation>
    </message>
    <message>
        <source>{field}: {name} {said} must be a finite number</source>
        <translation>{field}：{name} {said} 必须是有限数</translation>
    </message>
    <message>
        <source>{field}: {name} {said} must be a number</source>
        <translation>{field}：{name} {said} 必须是数</translation>
    </message>
    <message>
        <source>{field}: {name} {said} must be a whole number</source>
        <translation>{field}：{name} {said} 必须是整数</translation>
    </message>
    <message>
        <source>{field}: {said} must read {name}(FIRST, LAST, COUNT)</source>
        <translation>{field}：{said} 须写成 {name}(FIRST, LAST, COUNT)</translation>
    </message>
    <message>
        <source>{heads} heads: means over {count} runs, with bars of one standard deviation.</source>
        <translation>{heads} 个头：{count} 次运行的均值，误差线为一个标准差。</translation>
    </message>
    <message numerus="yes">
        <source>{lengths} = {count} runs</source>
        <extracomment>one: 1 run</extracomment>
        <translation><numerusform>{lengths} = {count} 次运行</numerusform></translation>
    </message>
    <message>
        <source>{measure} by {knob}: {listed}.</source>
        <translation>按{knob}的{measure}：{listed}。</translation>
    </message>
    <message>
        <source>{measure}, median by {knob}: never ({never}).</source>
        <translation>按{knob}的{measure}（中位数）：从未（{never}）。</translation>
    </message>
    <message>
        <source>{measure}, median by {knob}: {listed}, never ({never}).</source>
        <translation>按{knob}的{measure}（中位数）：{listed}，从未（{never}）。</translation>
    </message>
    <message>
        <source>{measure}, median by {knob}: {listed}.</source>
        <translation>按{knob}的{measure}（中位数）：{listed}。</translation>
    </message>
    <message>
        <source>{measure}: from {least} at {where} to {most} at {there}.</source>
        <translation>{measure}：从 {where} 处的 {least} 到 {there} 处的 {most}。</translation>
    </message>
    <message>
        <source>{measure}: never.</source>
        <translation>{measure}：从未。</translation>
    </message>
    <message>
        <source>{measure}: no finished run has this measure.</source>
        <translation>{measure}：已结束的运行都没有这个数。</translation>
    </message>
    <message>
        <source>{name} is no measure with a number per head{near}</source>
        <translation>{name} 不是每个头各有一个数的指标{near}</translation>
    </message>
    <message>
        <source>{role} in {count} of {of} runs (95 % interval {low} to {high} %)</source>
        <translation>{role}：{of} 次运行中的 {count} 次（95 % 区间 {low} 至 {high} %）</translation>
    </message>
    <message>
        <source>{title} {mean} (1 run)</source>
        <translation>{title} {mean}（1 次运行）</translation>
    </message>
    <message>
        <source>{title} {mean} ± {spread} ({count} runs)</source>
        <translation>{title} {mean} ± {spread}（{count} 次运行）</translation>
    </message>
    <message>
        <source>{title}: none</source>
        <translation>{title}：无</translation>
    </message>
    <message>
        <source>{x} and {y} are of different heads</source>
        <translation>{x} 与 {y} 属于不同的头</translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/texts</name>
    <message>
        <source>'{code}' is not a language of attnviz ({languages}){near}</source>
        <translation>attnviz 没有语言 '{code}'（{languages}）{near}</translation>
    </message>
</context>
<context>
    <name>attnviz/experiment/train</name>
    <message>
        <source>; nearest: {follows}</source>
        <translation>；最接近的：{follows}</translation>
    </message>
    <message>
        <source>; nearest: {nearest} tokens</source>
        <translation>；最接近的：{nearest} 个词元</translation>
    </message>
    <message>
        <source>A has {a} and B has {b}: layer {wanted} is not in both.</source>
        <translation>A 有 {a}，B 有 {b} 层：第 {wanted} 层并非两者都有。</translation>
    </message>
    <message>
        <source>A shows {a} and B shows {b}: cells do not match, so there is no B − A.</source>
        <translation>A 看 {a}，B 看 {b} 个：格不对应，因此没有 B − A。</translation>
    </message>
    <message>
        <source>A two-layer network after the attention of each layer.</source>
        <translation>每层注意力之后的两层网络。</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message numerus="yes">
        <source>After {count} steps</source>
        <extracomment>one: After {count} step</extracomment>
        <translation><numerusform>{count} 步之后</numerusform></translation>
    </message>
    <message>
        <source>After {query}: {expected}</source>
        <translation>在 {query} 之后：{expected}</translation>
    </message>
    <message>
        <source>At step</source>
        <translation>起始步</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>中途改动</translation>
    </message>
    <message>
        <source>Changes of the learning rate during training.</source>
        <translation>训练中途取代初始值的学习率。</translation>
    </message>
    <message>
        <source>Clip</source>
        <translation>梯度裁剪</translation>
    </message>
    <message>
        <source>Computing: {done} of {count} heads were turned off.</source>
        <translation>正在计算：{count} 个头中已关闭 {done} 个。</translation>
    </message>
    <message>
        <source>Computing: {done} of {count} roles and pairs of heads were turned off.</source>
        <translation>正在计算：{count} 个角色和头对中已关闭 {done} 个。</translation>
    </message>
    <message>
        <source>Decides the first parameters and every batch.</source>
        <translation>决定参数的初值和每个批量。</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Every head is off.</source>
        <translation>所有头都已关闭。</translation>
    </message>
    <message>
        <source>Every step of the attention of one layer</source>
        <translation>一层注意力的每一步</translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation>前馈网络</translation>
    </message>
    <message>
        <source>Head {head} changes most where token {query} attends to {key}: {a} in run A, {b} in run B.</source>
        <translation>头 {head} 变化最大之处是词元 {query} 看 {key}：运行 A 中为 {a}，运行 B 中为 {b}。</translation>
    </message>
    <message>
        <source>Head {head} has the same weights in A and B.</source>
        <translation>头 {head} 在 A 和 B 中的权重相同。</translation>
    </message>
    <message>
        <source>Heads to turn off (ablate) in the picture, as layer.head; training is unaffected.</source>
        <translation>以“层.头”写出的头，对所显示的结果不起作用；训练不变。</translation>
    </message>
    <message>
        <source>Held out</source>
        <translation>留出</translation>
    </message>
    <message>
        <source>How many heads each layer has.</source>
        <translation>每层有多少个头。</translation>
    </message>
    <message>
        <source>How many steps are trained.</source>
        <translation>训练多少步。</translation>
    </message>
    <message>
        <source>How strongly the parameters shrink.</source>
        <translation>参数收缩的强度。</translation>
    </message>
    <message>
        <source>How the gradients move the parameters: all by one step size, or each by its own.</source>
        <translation>梯度如何更新参数：共用一个步长，或各有自己的步长。</translation>
    </message>
    <message>
        <source>How the model knows the positions of its tokens.</source>
        <translation>模型如何知道词元的位置。</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Layer norm</source>
        <translation>层归一化</translation>
    </message>
    <message>
        <source>Layer norm before each attention layer and before the prediction.</source>
        <translation>注意力与预测读取归一化后的残差流。</translation>
    </message>
    <message>
        <source>Learning rate {rate} from step {step} on</source>
        <translation>从第 {step} 步起学习率为 {rate}</translation>
    </message>
    <message>
        <source>Loss, accuracy and the roles of all heads, over the steps</source>
        <translation>各步的损失、准确率和所有头的角色</translation>
    </message>
    <message>
        <source>Next the model predicts “{token}” ({share}), which is right.</source>
        <translation>模型预测下一个词元是“{token}”（{share}），正确。</translation>
    </message>
    <message>
        <source>Next the model predicts “{token}” ({share}); the right token is “{answer}”, with {other}.</source>
        <translation>模型预测下一个词元是“{token}”（{share}）；正确的是“{answer}”，模型给它 {other}。</translation>
    </message>
    <message>
        <source>Next the model predicts “{token}” ({share}); what follows cannot be known.</source>
        <translation>模型预测下一个词元是“{token}”（{share}）；实际的下一个无从得知。</translation>
    </message>
    <message>
        <source>No change of the learning rate from step {step} on</source>
        <translation>从第 {step} 步起不再改学习率</translation>
    </message>
    <message>
        <source>No head is needed: without any one of them accuracy stays at {now} or rises.</source>
        <translation>没有必需的头：关闭任何一个，准确率都保持在 {now} 或更高。</translation>
    </message>
    <message>
        <source>Number of attention layers.</source>
        <translation>注意力读取残差流的次数。</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>探针</translation>
    </message>
    <message>
        <source>Role: {role}</source>
        <translation>角色：{role}</translation>
    </message>
    <message>
        <source>Sequences in each step.</source>
        <translation>每步的序列数。</translation>
    </message>
    <message>
        <source>Share of the positions of that batch at which the top prediction was right</source>
        <translation>在该批量的位置中，最可能的词元正确的比例</translation>
    </message>
    <message>
        <source>Size of the residual stream; each head has hidden / heads features.</source>
        <translation>残差流的大小；每个头读取 隐藏 / 头数 个特征。</translation>
    </message>
    <message>
        <source>Step size of the optimiser, from the start; while a training is shown, a new learning rate acts from the step on screen.</source>
        <translation>从一开始的下降步长；显示训练时，新的学习率从屏幕上的那一步起生效。</translation>
    </message>
    <message>
        <source>Steps over which the learning rate grows from 0 to its value.</source>
        <translation>学习率从 0 升到设定值所用的步数。</translation>
    </message>
    <message>
        <source>Steps to 95 %</source>
        <translation>达到 95 % 的步数</translation>
    </message>
    <message>
        <source>Steps to {role}</source>
        <translation>达到“{role}”的步数</translation>
    </message>
    <message>
        <source>Steps until a head first has this role; infinite if none has</source>
        <translation>经过多少步后首次有头具有这一角色；没有时为无穷大</translation>
    </message>
    <message>
        <source>The first step with an accuracy of 95 %; infinite if there is none</source>
        <translation>准确率首次达到 95 % 的步；没有时为无穷大</translation>
    </message>
    <message>
        <source>The largest norm of a gradient; larger ones are clipped.</source>
        <translation>梯度的最大范数；更长的会被缩短。</translation>
    </message>
    <message>
        <source>The last one acts beyond the last step: raise Steps, or begin a new training.</source>
        <translation>最后一次改动在最后一步之后才生效：增大“步数”，或开始新的训练。</translation>
    </message>
    <message>
        <source>The mean cross-entropy of the last step's batch, before that step</source>
        <translation>最后一步的批量在这一步之前的平均交叉熵</translation>
    </message>
    <message>
        <source>The model continues a text, token by token</source>
        <translation>模型逐个词元地续写文本</translation>
    </message>
    <message>
        <source>The model reads {tokens}: {query} is number {number} of {vocabulary} there are.</source>
        <translation>模型读入 {tokens}：{query} 在词表的 {vocabulary} 个词元中编号为 {number}。</translation>
    </message>
    <message>
        <source>The output layer shares the weights of the token embedding.</source>
        <translation>预测时直接与词元嵌入比较。</translation>
    </message>
    <message>
        <source>The picture shows step {step}.</source>
        <translation>图中显示第 {step} 步。</translation>
    </message>
    <message>
        <source>The picture shows the study of the model before: {layers} × {heads} heads, step {step}.</source>
        <translation>图中仍是前一个模型的结果：{layers} × {heads} 个头，第 {step} 步。</translation>
    </message>
    <message>
        <source>The sequence shown: tokens separated by blanks, or the characters of a text, where a blank is a token too. Empty is the task's own.</source>
        <translation>所观察的序列：输入词元，以空格隔开；若任务是文本，则输入字符，此时空格也是词元。留空则用任务自带的序列。</translation>
    </message>
    <message>
        <source>The share of the sequences held out of training, to test on; of a text its end, of sums both orders of a pair.</source>
        <translation>留作测试的序列所占比例，训练中不会抽到；文本取其末尾，加法则同时留出一对数的两种次序。</translation>
    </message>
    <message>
        <source>The task has {follows} different tokens, not {vocab_size}</source>
        <translation>任务有 {follows} 个不同的词元，而不是 {vocab_size} 个</translation>
    </message>
    <message>
        <source>The text to learn.</source>
        <translation>要学习的文本。</translation>
    </message>
    <message>
        <source>The training, every head, and what the model predicts</source>
        <translation>训练过程、每个头，以及模型的预测</translation>
    </message>
    <message>
        <source>There is no other head that is on.</source>
        <translation>没有其他开启的头。</translation>
    </message>
    <message>
        <source>Tied embedding</source>
        <translation>共享嵌入</translation>
    </message>
    <message>
        <source>Token {place} is “{a}” in A and “{b}” in B: cells do not match, so there is no B − A.</source>
        <translation>第 {place} 个词元在 A 中是“{a}”，在 B 中是“{b}”：各格不对应，因此没有 B − A。</translation>
    </message>
    <message>
        <source>Two steps, two seeds, or heads on and off, side by side</source>
        <translation>并排比较两个步、两个种子，或头的开与关</translation>
    </message>
    <message>
        <source>Untrained: accuracy is {now}, and no head changes it by more than {most}.</source>
        <translation>未训练：准确率为 {now}，任何一个头对它的影响都不超过 {most}。</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>What each head attends to, and how much it is needed</source>
        <translation>每个头关注什么，以及它有多重要</translation>
    </message>
    <message>
        <source>What the model learns to continue.</source>
        <translation>模型要学会续写的内容。</translation>
    </message>
    <message>
        <source>With {held_out} no sequence of the task is held out, or every one</source>
        <translation>{held_out} 会使任务的序列一个也不留出，或全部留出</translation>
    </message>
    <message>
        <source>Without both {pair} the loss changes by {both}; without each alone, added, by {apart}.</source>
        <translation>同时关闭 {pair}，损失变化 {both}；分别关闭、两者相加，变化 {apart}。</translation>
    </message>
    <message>
        <source>Without {head} accuracy falls by only {lost} percentage points, from {now}.</source>
        <translation>去掉 {head} 后，准确率仅下降 {lost} 个百分点（原为 {now}）。</translation>
    </message>
    <message>
        <source>Without {head} accuracy falls from {now} to {then}.</source>
        <translation>去掉 {head} 后，准确率从 {now} 降至 {then}。</translation>
    </message>
    <message>
        <source>Without {head} it does not fall.</source>
        <translation>去掉 {head} 则不下降。</translation>
    </message>
    <message>
        <source>Without {head} it falls by only {lost} percentage points.</source>
        <translation>去掉 {head} 仅下降 {lost} 个百分点。</translation>
    </message>
    <message>
        <source>a probe of {count} tokens must have 1 to {num_tokens}</source>
        <translation>探针有 {count} 个词元，应为 1 到 {num_tokens} 个</translation>
    </message>
    <message>
        <source>curves to step {step} from the file</source>
        <translation>到第 {step} 步为止的曲线来自文件</translation>
    </message>
    <message>
        <source>every head {does}</source>
        <translation>每个头都 {does}</translation>
    </message>
    <message>
        <source>head {name} has no role; {query} gives {share} of its attention to {key}.</source>
        <translation>头 {name} 没有角色；{query} 把 {share} 的注意力给 {key}。</translation>
    </message>
    <message>
        <source>head {name} is off and adds nothing, though {query} gives {share} to {key}.</source>
        <translation>头 {name} 已关闭，不起作用，尽管 {query} 把 {share} 给 {key}。</translation>
    </message>
    <message>
        <source>head {name} {does} ({score}, in every sequence at least {lowest}); {query} gives {share} to {key}.</source>
        <translation>头 {name} {does}（{score}，每个序列中都不低于 {lowest}）；{query} 把 {share} 给 {key}。</translation>
    </message>
    <message numerus="yes">
        <source>heads {heads}</source>
        <extracomment>one: head {heads}</extracomment>
        <translation><numerusform>头 {heads}</numerusform></translation>
    </message>
    <message>
        <source>no head has a role</source>
        <translation>没有头具有角色</translation>
    </message>
    <message>
        <source>role_distances holds a number that is no distance of {tokens} tokens</source>
        <translation>role_distances 中有一个数不是 {tokens} 个词元之间的距离</translation>
    </message>
    <message>
        <source>role_names {said} must be a list of at most {most} names</source>
        <translation>role_names {said} 必须是至多 {most} 个名称的列表</translation>
    </message>
    <message>
        <source>step {ms} ms</source>
        <translation>每步 {ms} ms</translation>
    </message>
    <message>
        <source>step {step}</source>
        <translation>第 {step} 步</translation>
    </message>
    <message>
        <source>step {step}, {heads} off</source>
        <translation>第 {step} 步，关闭 {heads}</translation>
    </message>
    <message>
        <source>steps {said} must end with {last}, the steps of its spec</source>
        <translation>steps {said} 必须以 {last} 结尾，即其设定的步数</translation>
    </message>
    <message>
        <source>the steps of changes, {steps}, must be increasing</source>
        <translation>changes 的步 {steps} 必须递增</translation>
    </message>
    <message>
        <source>the trained model takes {size} MiB, and a session carries at most {most} MiB</source>
        <translation>训练好的模型占 {size} MiB，而会话最多容纳 {most} MiB</translation>
    </message>
    <message>
        <source>there is no field {name}{near}</source>
        <translation>没有字段 {name}{near}</translation>
    </message>
    <message>
        <source>there is no head {said} in heads_off; the last one is {last}</source>
        <translation>heads_off 中没有头 {said}；最后一个是 {last}</translation>
    </message>
    <message>
        <source>token {place} of the {where}, {said}, is not among the {count} that the model knows: {known}{near}</source>
        <translation>{where} 的第 {place} 个词元 {said} 不在模型认识的 {count} 个词元之中：{known}{near}</translation>
    </message>
    <message>
        <source>values would take {size} MiB, and at most {most} MiB are read</source>
        <translation>values 将占 {size} MiB，而最多读取 {most} MiB</translation>
    </message>
    <message>
        <source>vocab_size {vocab_size} must be {follows}, the tokens of the task '{kind}'</source>
        <translation>vocab_size {vocab_size} 必须为 {follows}，即任务 '{kind}' 的词元数</translation>
    </message>
    <message>
        <source>with held_out {held_out} no sequence of the task is held out, or every one</source>
        <translation>held_out 为 {held_out} 时，任务的序列一个也不留出，或全部留出</translation>
    </message>
    <message>
        <source>{before} → {after}; each alone at most {alone}</source>
        <translation>{before} → {after}；只关一个至多 {alone}</translation>
    </message>
    <message>
        <source>{before} → {after}; each alone at most {alone}, two at most {two}</source>
        <translation>{before} → {after}；只关一个至多 {alone}，两个至多 {two}</translation>
    </message>
    <message numerus="yes">
        <source>{count} heads have another role or none</source>
        <extracomment>one: 1 head has another role</extracomment>
        <translation><numerusform>{count} 个头有其他角色或没有角色</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>{count} heads have no role</source>
        <extracomment>one: 1 head has no role</extracomment>
        <translation><numerusform>{count} 个头没有角色</numerusform></translation>
    </message>
    <message>
        <source>{count} held-out sequences</source>
        <translation>{count} 个留出的序列</translation>
    </message>
    <message numerus="yes">
        <source>{count} layers</source>
        <extracomment>one: {count} layer</extracomment>
        <translation><numerusform>{count} 层</numerusform></translation>
    </message>
    <message>
        <source>{count} newly drawn sequences (some may have occurred in training)</source>
        <translation>新抽取的 {count} 个序列，其中一些可能在训练中出现过</translation>
    </message>
    <message>
        <source>{count} newly drawn sequences, some of which occurred in training</source>
        <translation>新抽取的 {count} 个序列，其中一些在训练中出现过</translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation>{first} 和 {last}</translation>
    </message>
    <message>
        <source>{first}, then {rest}</source>
        <translation>{first}，然后 {rest}</translation>
    </message>
    <message>
        <source>{head} (no clear role)</source>
        <translation>{head}（角色不明确）</translation>
    </message>
    <message>
        <source>{head} is off. What is lost without it is not measured.</source>
        <translation>{head} 已关闭，因此不测量没有它会损失多少。</translation>
    </message>
    <message>
        <source>{head}. Without it: accuracy {accuracy}, loss {loss}.</source>
        <translation>{head}。没有它时：准确率 {accuracy}，损失 {loss}。</translation>
    </message>
    <message>
        <source>{help} The score, from 0 to 1; that of all heads is the highest.</source>
        <translation>{help}得分从 0 到 1；所有头的得分是其中最高的。</translation>
    </message>
    <message>
        <source>{name} cannot be unpacked: it is not zlib data in base64, or is damaged</source>
        <translation>{name} 无法解包：不是 zlib 的 base64，或已损坏</translation>
    </message>
    <message>
        <source>{name} holds a number that is not finite</source>
        <translation>{name} 中有一个数不是有限数</translation>
    </message>
    <message>
        <source>{name} holds a number that is not from 0 to 1</source>
        <translation>{name} 中有一个数不在 0 到 1 之间</translation>
    </message>
    <message>
        <source>{name} is empty: choose a file with a text</source>
        <translation>{name} 是空的：选择一个有文本的文件</translation>
    </message>
    <message>
        <source>{name} is longer than {size} bytes can be, which its spec has</source>
        <translation>{name} 过长：按其设定应为 {size} 字节，不可能这么长</translation>
    </message>
    <message>
        <source>{name} is not UTF-8 text (byte {place}); save it as UTF-8</source>
        <translation>{name} 不是 UTF-8 文本：第 {place} 个字节不合法；将其另存为 UTF-8</translation>
    </message>
    <message>
        <source>{name} is too long: at most {most} characters are learned; save a part of it</source>
        <translation>{name} 太长：最多学习 {most} 个字符；只保存其中一部分</translation>
    </message>
    <message>
        <source>{name} moves each parameter by about the learning rate per step: above {rate} it rarely learns.</source>
        <translation>{name} 每一步使各参数移动约一个学习率的量：高于 {rate} 时很少能学好。</translation>
    </message>
    <message>
        <source>{name} must be increasing whole numbers from {least} to {greatest}, not {said}</source>
        <translation>{name} 必须是 {least} 到 {greatest} 之间递增的整数，而不是 {said}</translation>
    </message>
    <message>
        <source>{name} must unpack to {size} bytes, which its spec has; it is cut or too long</source>
        <translation>{name} 解包后必须是 {size} 字节，与其设定一致；它被截断或过长</translation>
    </message>
    <message>
        <source>{name} {said} must be a list of at most {most} steps</source>
        <translation>{name} {said} 必须是至多 {most} 步的列表</translation>
    </message>
    <message>
        <source>{name} {said} must be text in base64</source>
        <translation>{name} {said} 必须是 base64 文本</translation>
    </message>
    <message>
        <source>{origin}: numbers at {query} are too large for {dtype}: there is no prediction.</source>
        <translation>{origin}：{query} 处的数对 {dtype} 来说太大，因此没有预测。</translation>
    </message>
    <message>
        <source>{query} becomes {hiddens} learned numbers, from {low} to {high}.</source>
        <translation>{query} 变为 {hiddens} 个学得的数，从 {low} 到 {high}。</translation>
    </message>
    <message>
        <source>{role} off: accuracy {numbers}.</source>
        <translation>{role} 关闭：准确率 {numbers}。</translation>
    </message>
    <message>
        <source>{role}: any one of {count} heads can be off (at most {alone}), but not all ({after}).</source>
        <translation>{role}：{count} 个头中可关闭任意一个（至多 {alone}），但不能全部关闭（{after}）。</translation>
    </message>
    <message>
        <source>{why} The training goes on: in the task's own sequence they are not.</source>
        <translation>{why}训练继续进行：任务自带的序列中没有这样大的数。</translation>
    </message>
</context>
<context>
    <name>attnviz/export</name>
    <message>
        <source>; nearest: a copy on this one</source>
        <translation>；最接近的：本机上的一个副本</translation>
    </message>
    <message>
        <source>; nearest: {pages}</source>
        <translation>；最接近：{pages}</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>an unterminated string</source>
        <translation>没有结尾的字符串</translation>
    </message>
    <message>
        <source>new token {count} of {most}: “{token}”</source>
        <translation>新词元 {count} / {most}：“{token}”</translation>
    </message>
    <message>
        <source>standard input</source>
        <translation>标准输入</translation>
    </message>
    <message>
        <source>step {step} of {steps}: loss before it {loss}, w {w}</source>
        <translation>第 {step} 步，共 {steps} 步：此步之前损失 {loss}，w {w}</translation>
    </message>
    <message>
        <source>step {step} of {steps}: loss {loss}, accuracy {accuracy} %</source>
        <translation>第 {step} 步，共 {steps} 步：损失 {loss}，准确率 {accuracy}%</translation>
    </message>
    <message>
        <source>step {step} of {steps}: untrained, w {w}</source>
        <translation>第 {step} 步，共 {steps} 步：未训练，w {w}</translation>
    </message>
    <message>
        <source>the page {page} has no figure</source>
        <translation>页面 {page} 没有对应的图</translation>
    </message>
    <message>
        <source>the page {page} shows a study of its own, which has no figure here</source>
        <translation>页面 {page} 显示的是它自己的一项研究，这里没有它的图</translation>
    </message>
    <message>
        <source>the session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>the session in {name}</source>
        <translation>{name} 中的会话</translation>
    </message>
    <message>
        <source>the spec in {name}</source>
        <translation>{name} 中的设定</translation>
    </message>
    <message>
        <source>this is not an SVG document</source>
        <translation>这不是 SVG 文档</translation>
    </message>
    <message>
        <source>{count} characters have no glyph on this machine</source>
        <translation>本机没有 {count} 个字符的字形</translation>
    </message>
    <message>
        <source>{field} {said} is on another machine, which attnviz does not contact</source>
        <translation>{field} {said} 在另一台机器上，不会向它读取</translation>
    </message>
    <message>
        <source>{name} is a picture without an attnviz session, or is damaged</source>
        <translation>{name} 是图片，但不含 attnviz 的会话，或已损坏</translation>
    </message>
    <message>
        <source>{name} is closed</source>
        <translation>{name} 已关闭</translation>
    </message>
    <message>
        <source>{name} {number} must be in {low}..{high}</source>
        <translation>{name} {number} 必须在 {low}..{high} 之内</translation>
    </message>
    <message>
        <source>{name} {said} must be one of {choices}{near}</source>
        <translation>{name} {said} 必须是 {choices} 之一{near}</translation>
    </message>
    <message>
        <source>{rows} rows, about {size} MB</source>
        <translation>{rows} 行，约 {size} MB</translation>
    </message>
</context>
<context>
    <name>attnviz/export/animation</name>
    <message>
        <source>; nearest: the preset kernel-learned</source>
        <translation>；最接近的：预设 kernel-learned</translation>
    </message>
    <message>
        <source>Frame height in pixels</source>
        <translation>帧的高度，以像素计</translation>
    </message>
    <message>
        <source>Frame width in pixels</source>
        <translation>帧的宽度，以像素计</translation>
    </message>
    <message>
        <source>Frames per second</source>
        <translation>帧率</translation>
    </message>
    <message>
        <source>Frames per second of an animation</source>
        <translation>动画每秒的帧数</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>停留</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Minimum seconds that the last frame is shown</source>
        <translation>最后一帧至少显示的秒数</translation>
    </message>
    <message>
        <source>Whether the animation repeats</source>
        <translation>是否循环播放</translation>
    </message>
    <message>
        <source>frames per second</source>
        <translation>帧每秒</translation>
    </message>
    <message>
        <source>pixels</source>
        <translation>像素</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>stage {place} of {count}: {title}</source>
        <translation>第 {place} 个阶段，共 {count} 个：{title}</translation>
    </message>
    <message>
        <source>there is no frame to show</source>
        <translation>没有可显示的帧</translation>
    </message>
    <message>
        <source>this spec trains nothing, so there are no steps to show</source>
        <translation>这个设定不训练任何东西，因此没有可显示的步</translation>
    </message>
    <message>
        <source>{frames} frames must be in 2..{most}</source>
        <translation>帧数 {frames} 必须在 2..{most} 之内</translation>
    </message>
</context>
<context>
    <name>attnviz/export/code</name>
    <message>
        <source>the lab {lab} has no FlexAttention code</source>
        <translation>实验室 {lab} 没有 FlexAttention 代码</translation>
    </message>
</context>
<context>
    <name>attnviz/export/code/attention</name>
    <message>
        <source>; nearest: train mode off</source>
        <translation>；最接近的做法：关闭训练模式</translation>
    </message>
    <message>
        <source>Dropout has no form in FlexAttention</source>
        <translation>FlexAttention 中没有 dropout</translation>
    </message>
    <message>
        <source>Given weights have no form in FlexAttention: nothing is computed</source>
        <translation>给定的权重无法写成 FlexAttention：没有任何计算</translation>
    </message>
    <message>
        <source>{module} has no form in FlexAttention, whose scores are dot products of queries and keys</source>
        <translation>{module}无法写成 FlexAttention，其分数是查询与键的点积</translation>
    </message>
    <message>
        <source>{step} has no form in FlexAttention, which has a softmax</source>
        <translation>{step}无法写成 FlexAttention，它使用 softmax</translation>
    </message>
</context>
<context>
    <name>attnviz/export/figures</name>
    <message>
        <source>1: head 1</source>
        <translation>1：头 1</translation>
    </message>
    <message>
        <source>; nearest: head 1</source>
        <translation>；最接近的：头 1</translation>
    </message>
    <message>
        <source>; nearest: {nearest}, or choose some of the heads</source>
        <translation>；最接近的：{nearest}，或只选一部分头</translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation>色图</translation>
    </message>
    <message>
        <source>Colours of weights: viridis, cividis, CET-CBL1 or Reds</source>
        <translation>权重的颜色：viridis、cividis、CET-CBL1 或 Reds</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>对比度</translation>
    </message>
    <message>
        <source>Contrast by</source>
        <translation>对比度依据</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Height of the page in cm</source>
        <translation>页面高度（cm）</translation>
    </message>
    <message>
        <source>How colours are stretched, with contrast</source>
        <translation>启用对比度时，颜色按什么拉伸</translation>
    </message>
    <message>
        <source>Large</source>
        <translation>放大的头</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>No background</source>
        <translation>无背景</translation>
    </message>
    <message>
        <source>Pixels per inch of a PNG, 30 to 1200</source>
        <translation>PNG 每英寸的像素数，30 到 1200</translation>
    </message>
    <message>
        <source>Sharpness (dpi)</source>
        <translation>清晰度（dpi）</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Transparent</source>
        <translation>透明</translation>
    </message>
    <message>
        <source>Whether colours end at the largest weight instead of 1</source>
        <translation>颜色是否以最大权重而非 1 为上端</translation>
    </message>
    <message>
        <source>Which head of a transformer is large, as layer.head, counted from 1</source>
        <translation>放大显示 Transformer 的哪个头，写作“层.头”，从 1 计数</translation>
    </message>
    <message>
        <source>Which heads, counted from 1, and in this order</source>
        <translation>哪些头，从 1 计数，按此次序</translation>
    </message>
    <message>
        <source>Which item of the batch, counted from 0</source>
        <translation>批量中的哪个样本，从 0 计数</translation>
    </message>
    <message>
        <source>Which number of each head the overview of a model shows</source>
        <translation>模型的总览显示每个头的哪个数</translation>
    </message>
    <message>
        <source>Which page of the lab the figure is of</source>
        <translation>图属于实验室的哪个页面</translation>
    </message>
    <message>
        <source>Which palette</source>
        <translation>使用哪种配色</translation>
    </message>
    <message>
        <source>Which stage, such as scores or split</source>
        <translation>哪个阶段，例如 scores 或 split</translation>
    </message>
    <message>
        <source>Width of a figure in cm</source>
        <translation>图的宽度（cm）</translation>
    </message>
    <message>
        <source>a higher page</source>
        <translation>更高的页面</translation>
    </message>
    <message>
        <source>a page of {width:.3g} × {height:.3g} cm has no room for stage {stage!r} of {count} heads; a larger one has, or choose some of the heads</source>
        <translation>{width:.3g} × {height:.3g} cm 的页面容不下 {count} 个头的阶段 {stage!r}；用更大的页面，或只选一部分头</translation>
    </message>
    <message>
        <source>a page of {width_cm:.3g}{height} cm has no room for {count} heads of such tokens</source>
        <translation>{width_cm:.3g}{height} cm 的页面容不下 {count} 个带这些词元的头</translation>
    </message>
    <message>
        <source>a page {wide:g} cm wide</source>
        <translation>{wide:g} cm 宽的页面</translation>
    </message>
    <message>
        <source>a sink takes
the rest of 1</source>
        <translation>1 中余下的部分
归汇（sink）</translation>
    </message>
    <message>
        <source>all, or such as 1,3-4</source>
        <translation>全部，或例如 1,3-4</translation>
    </message>
    <message>
        <source>cm</source>
        <translation>cm</translation>
    </message>
    <message>
        <source>each pixel: the largest of {rows} × {columns} cells</source>
        <translation>每个像素：{rows} × {columns} 格中的最大值</translation>
    </message>
    <message>
        <source>head '{text}' must be layer.head, counted from 1, such as 2.1</source>
        <translation>头 '{text}' 必须写作“层.头”，从 1 计数，例如 2.1</translation>
    </message>
    <message>
        <source>head {number}</source>
        <translation>头 {number}</translation>
    </message>
    <message>
        <source>head {value} must be in {first}..{last}</source>
        <translation>头 {value} 必须在 {first}..{last} 之内</translation>
    </message>
    <message>
        <source>heads '{text}' must be counted from 1, such as 1,3 or 2-4</source>
        <translation>各头 '{text}' 必须从 1 计数，例如 1,3 或 2-4</translation>
    </message>
    <message>
        <source>heads '{text}...' must be at most {most} characters</source>
        <translation>各头 '{text}...' 至多 {most} 个字符</translation>
    </message>
    <message>
        <source>item {value} must be in {first}..{last}</source>
        <translation>样本 {value} 必须在 {first}..{last} 之内</translation>
    </message>
    <message>
        <source>layer {number}</source>
        <translation>第 {number} 层</translation>
    </message>
    <message numerus="yes">
        <source>mean and standard deviation over {count} runs</source>
        <extracomment>one: 1 run</extracomment>
        <translation><numerusform>{count} 次运行的均值与标准差</numerusform></translation>
    </message>
    <message>
        <source>no head is chosen</source>
        <translation>没有选择头</translation>
    </message>
    <message>
        <source>no head is large in the lab {lab}, which has no layers; leave out 'large'</source>
        <translation>实验室 {lab} 没有层，不能放大某个头；去掉 'large'</translation>
    </message>
    <message>
        <source>no number</source>
        <translation>无数值</translation>
    </message>
    <message>
        <source>there is no head {head}; the last one is {last}</source>
        <translation>没有头 {head}；最后一个是 {last}</translation>
    </message>
    <message>
        <source>there is no overview {said} in the lab {lab}, only {names}{near}</source>
        <translation>实验室 {lab} 中没有总览 {said}，只有 {names}{near}</translation>
    </message>
    <message>
        <source>there is no overview {said} in the lab {lab}{near}</source>
        <translation>实验室 {lab} 中没有总览 {said}{near}</translation>
    </message>
    <message>
        <source>{count} heads on a page {width:.3g} cm wide make it {height:.0f} cm high, and nothing opens more than {most}</source>
        <translation>{count} 个头在 {width:.3g} cm 宽的页面上会使其高达 {height:.0f} cm，而超过 {most} cm 就没有软件能打开</translation>
    </message>
    <message>
        <source>{dpi:g} pixels per inch must be in 1..{most} for a page of {width:.3g} × {height:.3g} cm</source>
        <translation>{width:.3g} × {height:.3g} cm 的页面，每英寸像素数 {dpi:g} 必须在 1..{most} 之内</translation>
    </message>
    <message>
        <source>{heads} of the heads (--heads 1-{heads})</source>
        <translation>其中 {heads} 个头（--heads 1-{heads}）</translation>
    </message>
    <message>
        <source>{name} of head {head}</source>
        <translation>头 {head} 的 {name}</translation>
    </message>
    <message>
        <source>× dropped</source>
        <translation>× 被丢弃</translation>
    </message>
</context>
<context>
    <name>attnviz/export/figures/attention</name>
    <message>
        <source>features {first} and {second}</source>
        <translation>特征 {first} 和 {second}</translation>
    </message>
    <message>
        <source>head {head}, query {query}, key {key}</source>
        <translation>头 {head}，查询 {query}，键 {key}</translation>
    </message>
    <message>
        <source>shifted by {shift}: largest difference {largest}</source>
        <translation>移动 {shift}：最大的差 {largest}</translation>
    </message>
</context>
<context>
    <name>attnviz/export/figures/model</name>
    <message>
        <source>; nearest: a width of 8 and a height of {height:.3g}</source>
        <translation>；最接近的：宽 8，高 {height:.3g}</translation>
    </message>
    <message>
        <source>; nearest: overview</source>
        <translation>；最接近的可用值：overview</translation>
    </message>
    <message>
        <source>; nearest: weights</source>
        <translation>；最接近的：weights</translation>
    </message>
    <message>
        <source>Logit lens: the top token after each layer</source>
        <translation>Logit 透镜：每层之后最可能的词元</translation>
    </message>
    <message>
        <source>a page of {width:.3g} cm has no room for the map</source>
        <translation>{width:.3g} cm 的页面放不下这张图</translation>
    </message>
    <message>
        <source>a page of {width:.3g} cm has no room for {rows} layers × {columns} tokens; a larger one has</source>
        <translation>{width:.3g} cm 的页面放不下 {rows} 层 × {columns} 个词元；更大的页面可以</translation>
    </message>
    <message>
        <source>a page of {width:.3g} cm has no room for {rows} × {columns} heads and one of them large; a larger one has</source>
        <translation>{width:.3g} cm 宽的页面放不下 {rows} × {columns} 个头和其中放大的一个；较大的放得下</translation>
    </message>
    <message>
        <source>a page of {width:.3g} cm has no room for {rows} × {columns} heads; a larger one has</source>
        <translation>{width:.3g} 厘米的页面容不下 {rows} × {columns} 个头；更大的页面可以</translation>
    </message>
    <message>
        <source>head {name} · “{query}” looks at</source>
        <translation>头 {name} · “{query}” 看向</translation>
    </message>
    <message>
        <source>layer {layer} has no stage {stage}; it has {stages}</source>
        <translation>第 {layer} 层没有阶段 {stage}；它有 {stages}</translation>
    </message>
    <message>
        <source>no head of layer {layer} can be large: it has no attention ({what})</source>
        <translation>第 {layer} 层没有头可以放大显示：它没有注意力（{what}）</translation>
    </message>
    <message>
        <source>the page image is of a run that reads an image</source>
        <translation>图像页面属于读取图像的运行</translation>
    </message>
    <message>
        <source>{map} · “{query}” draws on</source>
        <translation>{map} · “{query}”来自</translation>
    </message>
</context>
<context>
    <name>attnviz/export/figures/regression</name>
    <message>
        <source>K(u), the kernel's height</source>
        <translation>K(u)，核的高度</translation>
    </message>
    <message>
        <source>a page of {width:.3g} × {height:.3g} cm has no room for the fit and the matrices; a larger one has, or choose some of the heads</source>
        <translation>{width:.3g} × {height:.3g} cm 的页面容不下拟合图与各矩阵；用更大的页面，或只选一部分头</translation>
    </message>
    <message>
        <source>average</source>
        <translation>平均汇聚</translation>
    </message>
    <message>
        <source>keys: training points (x)</source>
        <translation>键：训练点（x）</translation>
    </message>
    <message>
        <source>learned width</source>
        <translation>学得的带宽</translation>
    </message>
    <message>
        <source>learned, w = {w:.3g}</source>
        <translation>学得，w = {w:.3g}</translation>
    </message>
    <message>
        <source>queries (x)</source>
        <translation>查询（x）</translation>
    </message>
    <message>
        <source>weight, up to the largest</source>
        <translation>权重，以最大值为上端</translation>
    </message>
    <message>
        <source>{kernel}, σ = {width}</source>
        <translation>{kernel}，σ = {width}</translation>
    </message>
</context>
<context>
    <name>attnviz/export/figures/train</name>
    <message>
        <source>a page of {width_cm:.3g}{height} cm has no room for the curves and {rows} × {columns} heads; a larger one has, or choose some of the heads</source>
        <translation>{width_cm:.3g}{height} cm 的页面容不下曲线与 {rows} × {columns} 个头；用更大的页面，或只选一部分头</translation>
    </message>
    <message>
        <source>accuracy {share} %</source>
        <translation>准确率 {share}%</translation>
    </message>
    <message>
        <source>heads off: {heads}</source>
        <translation>关闭的头：{heads}</translation>
    </message>
    <message>
        <source>loss / {divisor}</source>
        <translation>损失 / {divisor}</translation>
    </message>
    <message>
        <source>loss {loss}</source>
        <translation>损失 {loss}</translation>
    </message>
    <message>
        <source>{numbers} in layer {layer}</source>
        <translation>{numbers}，第 {layer} 层</translation>
    </message>
</context>
<context>
    <name>attnviz/export/lessons</name>
    <message>
        <source>Answers</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Cells that differ: {0}.</source>
        <translation>不同的单元格：{0} 个。</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>正确。</translation>
    </message>
    <message>
        <source>Wrong.</source>
        <translation>错误。</translation>
    </message>
    <message>
        <source>item {number}</source>
        <translation>样本 {number}</translation>
    </message>
    <message>
        <source>query {query}, key {key}</source>
        <translation>查询 {query}，键 {key}</translation>
    </message>
    <message>
        <source>the formula {latex} cannot be set: {why}</source>
        <translation>公式 {latex} 无法排版：{why}</translation>
    </message>
</context>
<context>
    <name>attnviz/export/tables</name>
    <message>
        <source>it holds another sweep: its spec, --over or version differs</source>
        <translation>其中是另一次扫描：设定、--over 或版本不同</translation>
    </message>
    <message>
        <source>it is not the table of a sweep</source>
        <translation>它不是扫描的表</translation>
    </message>
    <message>
        <source>row {number} has a run number that this sweep does not have</source>
        <translation>第 {number} 行的运行不可能在此</translation>
    </message>
    <message>
        <source>row {number} is not a row of a sweep</source>
        <translation>第 {number} 行不是扫描的一行</translation>
    </message>
    <message>
        <source>{path} exists, and {why}; --force starts over</source>
        <translation>{path} 已经存在，而且{why}；--force 重新开始</translation>
    </message>
    <message>
        <source>{path} exists, but is not the table of this sweep (spec, --over, version); --force starts over</source>
        <translation>{path} 已经存在，而且不是这次扫描、--over 和版本的表；--force 重新开始</translation>
    </message>
    <message>
        <source>{path} is being written by another sweep</source>
        <translation>另一次扫描正在写入 {path}</translation>
    </message>
    <message>
        <source>{path} was changed by another program while the sweep wrote it</source>
        <translation>扫描写入期间，{path} 被另一个程序更改了</translation>
    </message>
    <message>
        <source>{path} was removed or replaced</source>
        <translation>{path} 被删除或替换了</translation>
    </message>
    <message>
        <source>{path} was removed or replaced while the sweep wrote it</source>
        <translation>扫描写入期间，{path} 被删除或替换了</translation>
    </message>
    <message>
        <source>{path} was removed or replaced while the sweep wrote it, and its rows are lost: {why}</source>
        <translation>扫描写入期间，{path} 被删除或替换了，其中的行已丢失：{why}</translation>
    </message>
    <message>
        <source>{path} was removed or replaced while the sweep wrote it; its {rows} rows are in {rescued}; rename that to resume</source>
        <translation>扫描写入期间，{path} 被删除或替换了；其中的 {rows} 行在 {rescued} 中；改回原名即可继续</translation>
    </message>
    <message>
        <source>{path}: Parquet needs pyarrow: pip install 'attnviz[cluster]'</source>
        <translation>{path}：Parquet 需要 pyarrow：pip install 'attnviz[cluster]'</translation>
    </message>
</context>
<context>
    <name>attnviz/export/train</name>
    <message>
        <source>; nearest: layer norm on</source>
        <translation>；最近的合法值：开启层归一化</translation>
    </message>
    <message>
        <source>no known family of models has positions '{positions}' and is otherwise the same</source>
        <translation>没有已知的模型家族采用位置“{positions}”而其余部分相同</translation>
    </message>
    <message>
        <source>no known family of models is without layer norm</source>
        <translation>没有已知的模型家族不带层归一化</translation>
    </message>
    <message>
        <source>{folder} exists and is not empty</source>
        <translation>{folder} 已存在且非空</translation>
    </message>
</context>
<context>
    <name>attnviz/gui</name>
    <message>
        <source>Anywhere</source>
        <translation>任意位置</translation>
    </message>
    <message>
        <source>B, this run</source>
        <translation>B，本次运行</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose a head</source>
        <translation>选择一个头</translation>
    </message>
    <message>
        <source>Click</source>
        <translation>单击</translation>
    </message>
    <message>
        <source>Click, Drag</source>
        <translation>单击、拖动</translation>
    </message>
    <message>
        <source>Click, Left, Right</source>
        <translation>单击、左、右</translation>
    </message>
    <message>
        <source>Click, Up, Down, Left, Right</source>
        <translation>单击、上、下、左、右</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Colours of weights</source>
        <translation>权重的颜色</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>拖动</translation>
    </message>
    <message>
        <source>Hold a token's row in every view</source>
        <translation>在所有视图中锁定一个词元的行</translation>
    </message>
    <message>
        <source>Hold the next cell</source>
        <translation>锁定相邻的格</translation>
    </message>
    <message>
        <source>Its values</source>
        <translation>取值</translation>
    </message>
    <message>
        <source>Keys and gestures</source>
        <translation>按键与手势</translation>
    </message>
    <message>
        <source>Lecturer's desk</source>
        <translation>讲台</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>左、右</translation>
    </message>
    <message>
        <source>Left, Right, Home, End</source>
        <translation>左、右、Home、End</translation>
    </message>
    <message>
        <source>Lessons ({0})</source>
        <translation>课程（{0}）</translation>
    </message>
    <message>
        <source>Loading PyTorch ...</source>
        <translation>正在加载 PyTorch ...</translation>
    </message>
    <message>
        <source>Look at this step</source>
        <translation>查看此步</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>手册</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>Not opened: {0}</source>
        <translation>未打开：{0}</translation>
    </message>
    <message>
        <source>Not saved: {0}</source>
        <translation>未保存：{0}</translation>
    </message>
    <message>
        <source>Not saved: {0} was changed by another window or program</source>
        <translation>未保存：{0} 已被另一个窗口或程序改动</translation>
    </message>
    <message>
        <source>Open ...</source>
        <translation>打开 ...</translation>
    </message>
    <message>
        <source>Open {0}</source>
        <translation>打开 {0}</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Play the stages</source>
        <translation>播放各阶段</translation>
    </message>
    <message>
        <source>Point</source>
        <translation>指向</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Query, key</source>
        <translation>查询，键</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save ...</source>
        <translation>保存 ...</translation>
    </message>
    <message>
        <source>Save as ...</source>
        <translation>另存为 ...</translation>
    </message>
    <message>
        <source>Saved {0}</source>
        <translation>已保存 {0}</translation>
    </message>
    <message>
        <source>Saving {0} ...</source>
        <translation>正在保存 {0} ...</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>旋钮</translation>
    </message>
    <message>
        <source>Show everything again</source>
        <translation>重新显示全部</translation>
    </message>
    <message>
        <source>Something went wrong: {0}</source>
        <translation>出错了：{0}</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Tab, Shift+Tab</source>
        <translation>Tab、Shift+Tab</translation>
    </message>
    <message>
        <source>Up, Down, Left, Right</source>
        <translation>上、下、左、右</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Weights of the chosen head</source>
        <translation>所选头的权重</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>What the heads do</source>
        <translation>各头的作用</translation>
    </message>
    <message>
        <source>Write a lesson</source>
        <translation>编写课程</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>after dropout</source>
        <translation>暂退法（dropout）之后</translation>
    </message>
    <message>
        <source>and {0} more</source>
        <translation>另有 {0} 个</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>被丢弃</translation>
    </message>
    <message>
        <source>features</source>
        <translation>特征</translation>
    </message>
    <message>
        <source>head {0}</source>
        <translation>头 {0}</translation>
    </message>
    <message>
        <source>item {0}</source>
        <translation>样本 {0}</translation>
    </message>
    <message>
        <source>key {0}</source>
        <translation>键 {0}</translation>
    </message>
    <message>
        <source>layer {0}</source>
        <translation>第 {0} 层</translation>
    </message>
    <message>
        <source>may attend</source>
        <translation>可以关注</translation>
    </message>
    <message>
        <source>not run yet</source>
        <translation>尚未运行</translation>
    </message>
    <message>
        <source>query {0}</source>
        <translation>查询 {0}</translation>
    </message>
    <message>
        <source>query {query}, key {key}: {told}</source>
        <translation>查询 {query}，键 {key}：{told}</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>the process ended with code {0}</source>
        <translation>进程结束，退出码 {0}</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>weight {0}</source>
        <translation>权重 {0}</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>{0} cannot be displayed: no font has its characters. Install one, such as Noto Sans CJK.</source>
        <translation>无法显示{0}：没有字体包含其字符。请安装一种，例如 Noto Sans CJK。</translation>
    </message>
    <message>
        <source>{0} rows, {1} columns</source>
        <translation>{0} 行，{1} 列</translation>
    </message>
    <message>
        <source>{0} s</source>
        <translation>{0} s</translation>
    </message>
    <message numerus="yes">
        <source>{count} items</source>
        <extracomment>one: 1 item</extracomment>
        <translation><numerusform>{count} 个样本</numerusform></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/dialogs</name>
    <message>
        <source>; left out: {0}{1}, for example because {2}</source>
        <translation>；略去：{0}{1}，例如因为 {2}</translation>
    </message>
    <message>
        <source>A clean figure with embedded type, legible at 8 cm</source>
        <translation>干净的图，嵌入字体，8 cm 宽时仍清晰可读</translation>
    </message>
    <message>
        <source>As on screen</source>
        <translation>屏幕所见</translation>
    </message>
    <message>
        <source>Copying ...</source>
        <translation>正在复制 ...</translation>
    </message>
    <message>
        <source>FIRST:LAST, FIRST:LAST:STEP, or values such as 1,2,4</source>
        <translation>FIRST:LAST、FIRST:LAST:STEP，或若干值，例如 1,2,4</translation>
    </message>
    <message>
        <source>FlexAttention beside dense tensors, with a test that both agree</source>
        <translation>FlexAttention 与稠密张量并列，并测试二者一致</translation>
    </message>
    <message>
        <source>For a paper</source>
        <translation>用于论文</translation>
    </message>
    <message>
        <source>Form of the script</source>
        <translation>脚本的形式</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Frame {0} of {1}</source>
        <translation>第 {0} 帧，共 {1} 帧</translation>
    </message>
    <message>
        <source>Frames made</source>
        <translation>已生成的帧</translation>
    </message>
    <message>
        <source>Make the animation and play it here; nothing is saved</source>
        <translation>生成动画并在此播放；不保存任何文件</translation>
    </message>
    <message>
        <source>No preview: {0}</source>
        <translation>无法预览：{0}</translation>
    </message>
    <message>
        <source>Not copied: {0}</source>
        <translation>未复制：{0}</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Preview plays the animation here.</source>
        <translation>按“预览”在此播放动画。</translation>
    </message>
    <message>
        <source>PyTorch code</source>
        <translation>PyTorch 代码</translation>
    </message>
    <message>
        <source>PyTorch modules and tensors</source>
        <translation>PyTorch 模块与张量</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Size in pixels</source>
        <translation>大小（像素）</translation>
    </message>
    <message>
        <source>Stopped; nothing was written.</source>
        <translation>已停止；没有写入任何内容。</translation>
    </message>
    <message>
        <source>Stopping ...</source>
        <translation>正在停止 ...</translation>
    </message>
    <message>
        <source>The large picture</source>
        <translation>大图</translation>
    </message>
    <message>
        <source>The picture as it is drawn, with what is chosen in it</source>
        <translation>按屏幕所绘的图，包括其中的选择</translation>
    </message>
    <message>
        <source>The picture is on the clipboard.</source>
        <translation>图已复制到剪贴板。</translation>
    </message>
    <message>
        <source>The pictures of the page</source>
        <translation>本页的图</translation>
    </message>
    <message>
        <source>The script is on the clipboard. It needs {0}.</source>
        <translation>脚本已复制到剪贴板。它需要 {0}。</translation>
    </message>
    <message>
        <source>The stage</source>
        <translation>中间区域</translation>
    </message>
    <message>
        <source>The whole window</source>
        <translation>整个窗口</translation>
    </message>
    <message>
        <source>There are no numbers yet.</source>
        <translation>还没有数值。</translation>
    </message>
    <message>
        <source>There are no points yet.</source>
        <translation>还没有点。</translation>
    </message>
    <message>
        <source>There is no picture yet.</source>
        <translation>还没有图。</translation>
    </message>
    <message>
        <source>There is no script: {0}</source>
        <translation>没有脚本：{0}</translation>
    </message>
    <message>
        <source>What moves</source>
        <translation>变化的量</translation>
    </message>
    <message>
        <source>Which item of the batch, counted from 1</source>
        <translation>批量中的哪个样本，从 1 计数</translation>
    </message>
    <message>
        <source>nothing but PyTorch</source>
        <translation>只需 PyTorch</translation>
    </message>
    <message>
        <source>{0} × {1} cm</source>
        <translation>{0} × {1} cm</translation>
    </message>
    <message>
        <source>{0} × {1} pt</source>
        <translation>{0} × {1} pt</translation>
    </message>
    <message>
        <source>{0} × {1} px</source>
        <translation>{0} × {1} px</translation>
    </message>
    <message numerus="yes">
        <source>{count} frames</source>
        <extracomment>one: 1 frame</extracomment>
        <translation><numerusform>{count} 帧</numerusform></translation>
    </message>
</context>
<context>
    <name>attnviz/gui/forms</name>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>, or </source>
        <translation>，或 </translation>
    </message>
    <message>
        <source>; nearest: {0}</source>
        <translation>；最接近的：{0}</translation>
    </message>
    <message>
        <source>; nearest: {1}</source>
        <translation>；最接近的：{1}</translation>
    </message>
    <message>
        <source>; nearest: {3}</source>
        <translation>；最接近的：{3}</translation>
    </message>
    <message>
        <source>Alt+underlined letter</source>
        <translation>Alt+带下划线的字母</translation>
    </message>
    <message>
        <source>An empty box holds no number</source>
        <translation>框里没有数</translation>
    </message>
    <message>
        <source>Change the value that has the focus</source>
        <translation>改变焦点所在的值</translation>
    </message>
    <message>
        <source>Form and View</source>
        <translation>表单与视图</translation>
    </message>
    <message>
        <source>Go to a field, or flip a switch</source>
        <translation>转到一个字段，或切换一个开关</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>旋钮</translation>
    </message>
    <message>
        <source>The clipboard holds neither a file nor its path; copy one of the two.</source>
        <translation>剪贴板中既没有文件，也没有文件路径；复制其中之一。</translation>
    </message>
    <message>
        <source>Up, Down, Wheel</source>
        <translation>上、下、滚轮</translation>
    </message>
    <message>
        <source>{0} must be between {1} and {2}</source>
        <translation>{0} 必须在 {1} 与 {2} 之间</translation>
    </message>
    <message>
        <source>“{0}” is not a number such as 2.5 or 1e-3</source>
        <translation>“{0}”不是 2.5 或 1e-3 这样的数</translation>
    </message>
    <message>
        <source>“{0}” is not a whole number written with the digits 0 to 9</source>
        <translation>“{0}”不是用数字 0 到 9 写成的整数</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/help</name>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Back to the inspector (Esc)</source>
        <translation>返回检查器（Esc）</translation>
    </message>
    <message>
        <source>MIT licence. The typeface Inter has the SIL Open Font Licence.</source>
        <translation>MIT 许可证。Inter 字体采用 SIL 开放字体许可证。</translation>
    </message>
    <message>
        <source>Nothing found for “{0}”.</source>
        <translation>没有找到“{0}”。</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search the keys and gestures</source>
        <translation>搜索按键与手势</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>搜索手册</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>The first page</source>
        <translation>首页</translation>
    </message>
    <message>
        <source>The previous place</source>
        <translation>上一处</translation>
    </message>
    <message>
        <source>The versions are on the clipboard.</source>
        <translation>版本信息已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs</name>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>0 to 1</source>
        <translation>0 到 1</translation>
    </message>
    <message>
        <source>A and B are equal.</source>
        <translation>A 与 B 相同。</translation>
    </message>
    <message>
        <source>A could not be run: {0}</source>
        <translation>A 无法运行：{0}</translation>
    </message>
    <message>
        <source>A, pinned</source>
        <translation>A，已固定</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Alt+Up, Alt+Down</source>
        <translation>Alt+上、Alt+下</translation>
    </message>
    <message>
        <source>Any key</source>
        <translation>任意键</translation>
    </message>
    <message>
        <source>Brighten</source>
        <translation>提亮</translation>
    </message>
    <message>
        <source>Cell</source>
        <translation>格</translation>
    </message>
    <message>
        <source>Colours of weights run</source>
        <translation>权重颜色的范围</translation>
    </message>
    <message>
        <source>Computing. These pictures show the previous settings.</source>
        <translation>正在计算。图中仍是先前的设置。</translation>
    </message>
    <message>
        <source>First or last stage</source>
        <translation>第一个或最后一个阶段</translation>
    </message>
    <message>
        <source>Forbid</source>
        <translation>禁止</translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation>Home、End</translation>
    </message>
    <message>
        <source>How long each stage is shown</source>
        <translation>每个阶段显示多久</translation>
    </message>
    <message>
        <source>Layer {layer} of A has no attention, so there is no B − A.</source>
        <translation>A 的第 {layer} 层没有注意力，因此没有 B − A。</translation>
    </message>
    <message>
        <source>Layer {layer} of A has not come, so there is no B − A.</source>
        <translation>A 的第 {layer} 层尚未到达，因此没有 B − A。</translation>
    </message>
    <message>
        <source>Leave Present</source>
        <translation>退出放映</translation>
    </message>
    <message>
        <source>Leave Present (Esc)</source>
        <translation>退出放映（Esc）</translation>
    </message>
    <message>
        <source>Most cells are dark. Scale colours: {0}</source>
        <translation>多数格很暗。颜色范围：{0}</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>下一个词元</translation>
    </message>
    <message>
        <source>No picture of this page is a matrix of numbers.</source>
        <translation>这一页没有数值矩阵的图。</translation>
    </message>
    <message>
        <source>Numbers as a table ({0})</source>
        <translation>以表格显示数值（{0}）</translation>
    </message>
    <message>
        <source>Pin this run as A</source>
        <translation>将本次运行固定为 A</translation>
    </message>
    <message>
        <source>Pin this run as A, then change a setting to see A, the new run B and B − A side by side.</source>
        <translation>将本次运行固定为 A，再改变一项设置，即可并排看到 A、新的运行 B 和 B − A。</translation>
    </message>
    <message>
        <source>Play a stage for</source>
        <translation>每阶段播放</translation>
    </message>
    <message>
        <source>Previous or next layer</source>
        <translation>上一层或下一层</translation>
    </message>
    <message>
        <source>Previous or next stage</source>
        <translation>上一个或下一个阶段</translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation>移除 {0}</translation>
    </message>
    <message>
        <source>Seconds per stage</source>
        <translation>每阶段秒数</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Stop, and do what the key does</source>
        <translation>停止，并执行该键的功能</translation>
    </message>
    <message>
        <source>The pinned run cannot be shown: {0}</source>
        <translation>无法显示已固定的运行：{0}</translation>
    </message>
    <message>
        <source>The range that the colours of weights span</source>
        <translation>权重的颜色从多少到多少</translation>
    </message>
    <message>
        <source>The same colour is the same weight in every picture</source>
        <translation>各图中相同的颜色表示相同的权重</translation>
    </message>
    <message>
        <source>Turn the chosen head off or on</source>
        <translation>关闭或打开所选的头</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>滚轮</translation>
    </message>
    <message>
        <source>While stages play</source>
        <translation>播放各阶段时</translation>
    </message>
    <message>
        <source>X</source>
        <translation>X</translation>
    </message>
    <message>
        <source>{0}, off</source>
        <translation>{0}，已关闭</translation>
    </message>
    <message>
        <source>{0}, {1} of {2}</source>
        <translation>{0}，第 {1} 个，共 {2} 个</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/attention</name>
    <message>
        <source>0 or −∞</source>
        <translation>0 或 −∞</translation>
    </message>
    <message>
        <source>A mask</source>
        <translation>一个掩码</translation>
    </message>
    <message>
        <source>A mask of clauses</source>
        <translation>由子句组成的掩码</translation>
    </message>
    <message>
        <source>A mask that differs between heads</source>
        <translation>各头不同的掩码</translation>
    </message>
    <message>
        <source>A score that falls with the distance</source>
        <translation>随距离下降的分数</translation>
    </message>
    <message>
        <source>A score with a soft cap</source>
        <translation>带软上限的分数</translation>
    </message>
    <message>
        <source>All masks of this experiment</source>
        <translation>这个实验的全部掩码</translation>
    </message>
    <message>
        <source>Allow and run</source>
        <translation>允许并运行</translation>
    </message>
    <message>
        <source>As in FlexAttention and SDPA</source>
        <translation>与 FlexAttention 和 SDPA 相同</translation>
    </message>
    <message>
        <source>As in nn.MultiheadAttention and Megatron</source>
        <translation>与 nn.MultiheadAttention 和 Megatron 相同</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Blocks of {0} by {0} cells</source>
        <translation>{0} 乘 {0} 格的块</translation>
    </message>
    <message>
        <source>Blocks of {0}: {1} full, {2} partial, {3} empty.</source>
        <translation>{0} 格的块：{1} 个满块，{2} 个部分块，{3} 个空块。</translation>
    </message>
    <message>
        <source>Cells that can be skipped, by the side of the blocks: {0}</source>
        <translation>可以跳过的格（按块的边长）：{0}</translation>
    </message>
    <message>
        <source>Choose a query and a key in the matrix, or a key by its dot in the curve.</source>
        <translation>在矩阵中选择查询和键，或单击曲线上的点选择键。</translation>
    </message>
    <message>
        <source>Choose the pair of features that is drawn in the circle</source>
        <translation>选择画在圆中的一对特征</translation>
    </message>
    <message>
        <source>Documents, from a tensor</source>
        <translation>文档，来自张量</translation>
    </message>
    <message>
        <source>Draw no blocks</source>
        <translation>不画块</translation>
    </message>
    <message>
        <source>Every query has a valid key. To see a difference, set a valid length to 0 or paint a row.</source>
        <translation>每个查询都有有效的键。要看出差别，把一个有效长度设为 0，或涂画一行。</translation>
    </message>
    <message>
        <source>File: {0}</source>
        <translation>文件：{0}</translation>
    </message>
    <message>
        <source>Findings about the mask</source>
        <translation>关于掩码的发现</translation>
    </message>
    <message>
        <source>Functions: {0}</source>
        <translation>函数：{0}</translation>
    </message>
    <message>
        <source>In rows with a valid key the first three agree: the largest difference is {0}.</source>
        <translation>在有有效键的行中，前三者一致：最大差为 {0}。</translation>
    </message>
    <message>
        <source>In rows with a valid key the first three differ by up to {0}: a fill of −1e6 is not far below their scores.</source>
        <translation>在有有效键的行中，前三者的差最大为 {0}：填充值 −1e6 并不远低于它们的分数。</translation>
    </message>
    <message>
        <source>Line {0}</source>
        <translation>第 {0} 行</translation>
    </message>
    <message>
        <source>Move every token to later positions, and compare the scores with those of the run</source>
        <translation>把每个词元移到更靠后的位置，并与运行中的分数比较</translation>
    </message>
    <message>
        <source>No blocks</source>
        <translation>不画块</translation>
    </message>
    <message>
        <source>No file</source>
        <translation>没有文件</translation>
    </message>
    <message>
        <source>Nothing unusual was found.</source>
        <translation>没有发现不寻常之处。</translation>
    </message>
    <message>
        <source>Open a Python file, start from a mask, or write a function (b, h, q_idx, kv_idx) here.</source>
        <translation>打开 Python 文件、从一个掩码开始，或在这里编写函数 (b, h, q_idx, kv_idx)。</translation>
    </message>
    <message>
        <source>Output of the chosen query</source>
        <translation>所选查询的输出</translation>
    </message>
    <message>
        <source>Pair of features</source>
        <translation>一对特征</translation>
    </message>
    <message>
        <source>Python code</source>
        <translation>Python 代码</translation>
    </message>
    <message>
        <source>Python files</source>
        <translation>Python 文件</translation>
    </message>
    <message>
        <source>Query {0} may attend to {1} of {2} keys</source>
        <translation>查询 {0} 可以关注 {2} 个键中的 {1} 个</translation>
    </message>
    <message>
        <source>Query {0}, key {1}: {2}</source>
        <translation>查询 {0}，键 {1}：{2}</translation>
    </message>
    <message>
        <source>Read and allow ...</source>
        <translation>阅读并允许 ...</translation>
    </message>
    <message>
        <source>Read {0}</source>
        <translation>读取 {0}</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Run this code?</source>
        <translation>运行这段代码？</translation>
    </message>
    <message>
        <source>Save the file (Ctrl+S in the editor)</source>
        <translation>保存文件（编辑器中按 Ctrl+S）</translation>
    </message>
    <message>
        <source>Scroll the clauses</source>
        <translation>滚动各子句</translation>
    </message>
    <message>
        <source>Select a cell to see which clauses allow it.</source>
        <translation>选择一格，查看哪些子句允许它。</translation>
    </message>
    <message>
        <source>Shift of the whole sentence</source>
        <translation>整个句子的移动</translation>
    </message>
    <message>
        <source>Start from</source>
        <translation>从模板开始</translation>
    </message>
    <message>
        <source>Start from: {0}</source>
        <translation>从模板开始：{0}</translation>
    </message>
    <message>
        <source>Take the text of the file again</source>
        <translation>重新采用文件的文本</translation>
    </message>
    <message>
        <source>Take the text of {0} again</source>
        <translation>重新采用 {0} 的文本</translation>
    </message>
    <message>
        <source>The mask allows {share} of its cells{where}.</source>
        <translation>掩码允许 {share} 的格{where}。</translation>
    </message>
    <message>
        <source>The mask allows {share} of its cells{where}; it has {count} clauses.</source>
        <translation>掩码允许 {share} 的格{where}，有 {count} 个子句。</translation>
    </message>
    <message>
        <source>The number that is added to the score</source>
        <translation>加到分数上的数</translation>
    </message>
    <message>
        <source>The plane of a pair of features</source>
        <translation>一对特征所在的平面</translation>
    </message>
    <message>
        <source>The score of the chosen query and key over their distance</source>
        <translation>所选查询和键的分数随距离的变化</translation>
    </message>
    <message>
        <source>The text before it is replaced; Undo ({0}) brings it back.</source>
        <translation>原来的文本已被替换；撤销（{0}）可恢复。</translation>
    </message>
    <message>
        <source>The whole mask</source>
        <translation>整个掩码</translation>
    </message>
    <message>
        <source>There is no mask.</source>
        <translation>没有掩码。</translation>
    </message>
    <message>
        <source>This experiment brings Python code. It can do whatever a program of yours can: read, write and delete files, and reach the network. Run it only if you trust where it comes from.</source>
        <translation>这个实验带有 Python 代码。它能做你的任何程序能做的事：读取、写入和删除文件，访问网络。只有信任其来源时才运行。</translation>
    </message>
    <message>
        <source>True = masked</source>
        <translation>True = 掩蔽</translation>
    </message>
    <message>
        <source>True = may attend</source>
        <translation>True = 可以关注</translation>
    </message>
    <message>
        <source>Weights under the policy {0}</source>
        <translation>策略 {0} 下的权重</translation>
    </message>
    <message>
        <source>What a mask holds</source>
        <translation>掩码中的值</translation>
    </message>
    <message>
        <source>What the functions printed</source>
        <translation>函数打印的内容</translation>
    </message>
    <message>
        <source>a softmax in float64</source>
        <translation>float64 的 softmax</translation>
    </message>
    <message>
        <source>allowed by {0}</source>
        <translation>{0} 允许</translation>
    </message>
    <message>
        <source>features {first} and {second}: q · k = {product}</source>
        <translation>特征 {first} 和 {second}：q · k = {product}</translation>
    </message>
    <message>
        <source>masked by {0}</source>
        <translation>被 {0} 掩蔽</translation>
    </message>
    <message>
        <source>none, it is part of the experiment</source>
        <translation>无，代码是实验的一部分</translation>
    </message>
    <message>
        <source>pair</source>
        <translation>对</translation>
    </message>
    <message>
        <source>positions, features {first} and {second}: product {product}</source>
        <translation>位置编码的特征 {first} 和 {second}：乘积 {product}</translation>
    </message>
    <message>
        <source>query {0}: {1}, output above</source>
        <translation>查询 {0}：{1}，上方为输出</translation>
    </message>
    <message>
        <source>shift</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>the run's scores of this query</source>
        <translation>运行中这个查询的分数</translation>
    </message>
    <message>
        <source>this query and key at any distance</source>
        <translation>这个查询和键处于任意距离</translation>
    </message>
    <message>
        <source>{0} has changed since; Functions &gt; Revert takes the text of the file.</source>
        <translation>{0} 此后已改变；“函数”页的“恢复”采用文件的文本。</translation>
    </message>
    <message>
        <source>{0} has no form of this</source>
        <translation>{0} 无法表示这种计算</translation>
    </message>
    <message>
        <source>{0} in float16</source>
        <translation>{0}，float16</translation>
    </message>
    <message>
        <source>{0} is there again</source>
        <translation>{0} 又存在了</translation>
    </message>
    <message>
        <source>{0} was saved</source>
        <translation>{0} 已保存</translation>
    </message>
    <message>
        <source>{0}, edited</source>
        <translation>{0}，已编辑</translation>
    </message>
    <message numerus="yes">
        <source>{empty} of {count} rows have no valid key.</source>
        <extracomment>one: The one row has no valid key.</extracomment>
        <translation><numerusform>{count} 行中有 {empty} 行没有有效的键。</numerusform></translation>
    </message>
    <message>
        <source>{name} is gone; its last text stays</source>
        <translation>{name} 已不存在；其最后的文本保留</translation>
    </message>
    <message>
        <source>✓ agrees with {0} (largest difference {1})</source>
        <translation>✓ 与 {0} 一致（最大差 {1}）</translation>
    </message>
    <message>
        <source>✗ differs from {0} by up to {1}</source>
        <translation>✗ 与 {0} 最多相差 {1}</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/attention/editors</name>
    <message>
        <source>1, 2, 3, ... keys</source>
        <translation>1、2、3 …… 个键</translation>
    </message>
    <message>
        <source>A function (b, h, q_idx, kv_idx) that returns whether a query may attend to a key.</source>
        <translation>函数 (b, h, q_idx, kv_idx)，返回查询是否可以看到键。</translation>
    </message>
    <message>
        <source>A function (score, b, h, q_idx, kv_idx) that returns the changed score, before the mask.</source>
        <translation>函数 (score, b, h, q_idx, kv_idx)，返回改变后的分数，在掩码之前。</translation>
    </message>
    <message>
        <source>All keys valid</source>
        <translation>所有键有效</translation>
    </message>
    <message>
        <source>Choose a file of arrays, .npz or .npy.</source>
        <translation>选择一个数组文件，.npz 或 .npy。</translation>
    </message>
    <message>
        <source>Drag over cells of the picture to forbid them; again: point</source>
        <translation>在图中拖过各格以禁止它们；再按一次：指向</translation>
    </message>
    <message>
        <source>Drag over painted cells to allow them again; again: point</source>
        <translation>拖过涂画过的格以重新允许它们；再按一次：指向</translation>
    </message>
    <message>
        <source>Draw every length from 1 to the number of keys</source>
        <translation>每个长度从 1 到键数之间随机抽取</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Equal</source>
        <translation>等长</translation>
    </message>
    <message>
        <source>Mask function</source>
        <translation>掩码函数</translation>
    </message>
    <message>
        <source>Open a Python file</source>
        <translation>打开 Python 文件</translation>
    </message>
    <message>
        <source>Open arrays</source>
        <translation>打开数组</translation>
    </message>
    <message>
        <source>Per item</source>
        <translation>每个样本</translation>
    </message>
    <message>
        <source>Per query</source>
        <translation>每个查询</translation>
    </message>
    <message>
        <source>Python file</source>
        <translation>Python 文件</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Run without own functions</source>
        <translation>不用自己的函数运行</translation>
    </message>
    <message>
        <source>Score function</source>
        <translation>分数函数</translation>
    </message>
    <message>
        <source>Sentence of the keys</source>
        <translation>键的句子</translation>
    </message>
    <message>
        <source>Sentence of the queries</source>
        <translation>查询的句子</translation>
    </message>
    <message>
        <source>Set every length to the first one</source>
        <translation>把每个长度都设为第一个的值</translation>
    </message>
    <message>
        <source>Show the functions in the editor</source>
        <translation>在编辑器中显示函数</translation>
    </message>
    <message>
        <source>Staircase</source>
        <translation>阶梯</translation>
    </message>
    <message>
        <source>This code may not run yet</source>
        <translation>这段代码还不能运行</translation>
    </message>
    <message>
        <source>one for each item</source>
        <translation>每个样本一个</translation>
    </message>
    <message>
        <source>rows: items, columns: queries</source>
        <translation>行：样本，列：查询</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/layered</name>
    <message>
        <source>All heads of the layer</source>
        <translation>该层的所有头</translation>
    </message>
    <message>
        <source>Also show the mean and the maximum over all heads</source>
        <translation>同时显示所有头的平均与最大值</translation>
    </message>
    <message>
        <source>Also show the sum of each row's weights</source>
        <translation>同时显示每行权重之和</translation>
    </message>
    <message>
        <source>Batch item</source>
        <translation>批量中的样本</translation>
    </message>
    <message>
        <source>Beside each head</source>
        <translation>各头旁边</translation>
    </message>
    <message>
        <source>Brush</source>
        <translation>画笔</translation>
    </message>
    <message>
        <source>Drag over cells of the chosen head to forbid them (Space: the locked cell)</source>
        <translation>拖过所选头的各格以禁止它们（空格键：锁定的格）</translation>
    </message>
    <message>
        <source>Drag over cells to allow them again in all heads of the layer.</source>
        <translation>拖过各格，在该层的所有头中重新允许它们。</translation>
    </message>
    <message>
        <source>Drag over cells to allow them again.</source>
        <translation>拖过各格以重新允许它们。</translation>
    </message>
    <message>
        <source>Drag over cells to forbid them in all heads of the layer.</source>
        <translation>拖过各格，在该层的所有头中禁止它们。</translation>
    </message>
    <message>
        <source>Drag over cells to forbid them in every head and batch item (Space: the locked cell)</source>
        <translation>拖过各格，在每个头和批量的每个样本中禁止它们（空格：锁定的格）</translation>
    </message>
    <message>
        <source>Drag over cells to forbid them.</source>
        <translation>拖过各格以禁止它们。</translation>
    </message>
    <message>
        <source>Drag over painted cells to allow them again</source>
        <translation>拖过涂画过的格以重新允许它们</translation>
    </message>
    <message>
        <source>Draw the lines of every query as strongly as those of the chosen one</source>
        <translation>所有查询的连线都与所选查询的一样醒目</translation>
    </message>
    <message>
        <source>Hover cells, click to lock one</source>
        <translation>指向各格，单击锁定一格</translation>
    </message>
    <message>
        <source>Layer {layer} cannot be shown: {why}</source>
        <translation>无法显示第 {layer} 层：{why}</translation>
    </message>
    <message>
        <source>Layer {layer} has not come yet.</source>
        <translation>第 {layer} 层尚未到达。</translation>
    </message>
    <message>
        <source>Lines of every query</source>
        <translation>所有查询的连线</translation>
    </message>
    <message>
        <source>Mean and maximum of all heads</source>
        <translation>所有头的平均与最大值</translation>
    </message>
    <message>
        <source>Mouse</source>
        <translation>鼠标</translation>
    </message>
    <message>
        <source>No note</source>
        <translation>无标注</translation>
    </message>
    <message>
        <source>Point to read a cell, click to hold it. The wheel zooms.</source>
        <translation>指向一格读数，单击将其锁定。滚轮缩放。</translation>
    </message>
    <message>
        <source>Sort the heads by it</source>
        <translation>按此数给头排序</translation>
    </message>
    <message>
        <source>Sort the heads by the number beside them, largest first</source>
        <translation>按各头旁边的数排序，最大的在前</translation>
    </message>
    <message>
        <source>Sum of each row</source>
        <translation>每行之和</translation>
    </message>
    <message>
        <source>The brush allows only what it has painted; this cell is {0}.</source>
        <translation>画笔只能允许它涂过的格；此格{0}。</translation>
    </message>
    <message>
        <source>The brush paints every head of the layer, not the chosen one alone</source>
        <translation>画笔涂该层的每个头，而不只是所选的头</translation>
    </message>
    <message>
        <source>The number shown beside each head</source>
        <translation>各头旁边显示的数</translation>
    </message>
    <message>
        <source>This cell is allowed already.</source>
        <translation>此格已被允许。</translation>
    </message>
    <message>
        <source>held: {0}</source>
        <translation>已锁定：{0}</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/model</name>
    <message>
        <source>1 to 9</source>
        <translation>1 到 9</translation>
    </message>
    <message>
        <source>= their sum</source>
        <translation>= 它们的和</translation>
    </message>
    <message>
        <source>A word's weight as a key is the sum of its pieces', as a query their mean</source>
        <translation>单词作为键的权重是其各片之和，作为查询是其各片的平均</translation>
    </message>
    <message>
        <source>Ablating head {head} changes the output most (cosine {cosine}).</source>
        <translation>去掉头 {head} 输出转动最大：余弦 {cosine}。</translation>
    </message>
    <message>
        <source>Ablating head {head} costs most: “{token}” falls from {before} to {after}.</source>
        <translation>去掉头 {head} 损失最大：“{token}”从 {before} 降到 {after}。</translation>
    </message>
    <message>
        <source>Attention is not attribution: a large weight need not matter for the prediction.</source>
        <translation>注意力不是归因：权重大，不一定对预测重要。</translation>
    </message>
    <message>
        <source>Attribution and ablation of every head</source>
        <translation>每个头的归因与消融</translation>
    </message>
    <message>
        <source>Choose a layer and a token</source>
        <translation>选择一层和一个词元</translation>
    </message>
    <message>
        <source>Choose “{token}” as new token {step}</source>
        <translation>选“{token}”为第 {step} 个新词元</translation>
    </message>
    <message>
        <source>Click a head to see it large, X turns it off (ablates it). Point at a patch to see what it attends to.</source>
        <translation>单击一个头放大查看，X 将其关闭（消融）。指向图块查看它注意什么。</translation>
    </message>
    <message>
        <source>Click a head to see it large, X turns it off (ablates it). Point at a word to see what it attends to.</source>
        <translation>单击一个头可放大显示，X 关闭它。指向一个词可看它注意什么。</translation>
    </message>
    <message>
        <source>Click, Up, Down</source>
        <translation>单击、上、下</translation>
    </message>
    <message>
        <source>Click, arrow keys, Home, End</source>
        <translation>单击、方向键、Home、End</translation>
    </message>
    <message>
        <source>Continue with another of the most probable tokens</source>
        <translation>用另一个最可能的词元继续</translation>
    </message>
    <message>
        <source>Ctrl+L</source>
        <translation>Ctrl+L</translation>
    </message>
    <message>
        <source>Ctrl+Left, Ctrl+Right</source>
        <translation>Ctrl+左、Ctrl+右</translation>
    </message>
    <message>
        <source>Each head is turned off (ablated) in turn: {done} of {count}.</source>
        <translation>正在逐个关闭各头：{count} 个中的第 {done} 个。</translation>
    </message>
    <message>
        <source>Every head of every layer</source>
        <translation>每一层的每个头</translation>
    </message>
    <message>
        <source>Follow a token over the layers</source>
        <translation>在各层中跟踪一个词元</translation>
    </message>
    <message>
        <source>Followed token</source>
        <translation>所跟踪的词元</translation>
    </message>
    <message>
        <source>Go to the text</source>
        <translation>转到文本</translation>
    </message>
    <message>
        <source>H</source>
        <translation>H</translation>
    </message>
    <message>
        <source>Heads of each layer, turned off in turn</source>
        <translation>各层的头，逐个关闭</translation>
    </message>
    <message>
        <source>Hide the chosen token, or show it again</source>
        <translation>隐藏所选词元，或重新显示</translation>
    </message>
    <message>
        <source>Hide token {token} from all tokens (H)</source>
        <translation>让所有词元都看不到词元 {token}（H）</translation>
    </message>
    <message>
        <source>Hide {token} from all tokens</source>
        <translation>让所有词元都看不到 {token}</translation>
    </message>
    <message>
        <source>Hold a patch's row in every view</source>
        <translation>在所有视图中锁定一个图块的行</translation>
    </message>
    <message>
        <source>Join the pieces of a word</source>
        <translation>合并单词的各片</translation>
    </message>
    <message>
        <source>Key-value cache</source>
        <translation>键值缓存</translation>
    </message>
    <message>
        <source>Leave out special tokens</source>
        <translation>略去特殊词元</translation>
    </message>
    <message>
        <source>Logit of</source>
        <translation>logit：</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Most probable tokens</source>
        <translation>最可能的词元</translation>
    </message>
    <message>
        <source>New token</source>
        <translation>新词元</translation>
    </message>
    <message>
        <source>One of the most probable tokens, or any other: type its text, or #7 for its number</source>
        <translation>最可能的词元之一，或任何其他词元：输入其文本，或用 #7 输入编号</translation>
    </message>
    <message>
        <source>Patch the output of head {head} at token {token} from text B</source>
        <translation>头 {head} 在词元 {token} 处的输出取自文本 B</translation>
    </message>
    <message>
        <source>Patch the output of head {head} at {token} from text B</source>
        <translation>头 {head} 在 {token} 处的输出取自文本 B</translation>
    </message>
    <message>
        <source>Patches have no order: roles about earlier tokens or repetition are not measured.</source>
        <translation>图块没有先后：有关更早词元或重复的角色不作测量。</translation>
    </message>
    <message>
        <source>Point at a cell to see its most probable tokens, click one of these to follow it.</source>
        <translation>指向一个单元格可看到其最可能的词元，单击其中一个可跟踪它。</translation>
    </message>
    <message>
        <source>Point at a patch to see what it attends to, click to hold it. Its edge has the colour of its weight.</source>
        <translation>指向图块查看它注意什么，单击锁定。图块边缘是其权重的颜色。</translation>
    </message>
    <message>
        <source>Point at a token or a cell to see what it draws on, click to hold it.</source>
        <translation>指向词元或格子可看它来自哪里，单击可固定它。</translation>
    </message>
    <message>
        <source>Point at a word to see what it attends to, click to hold it.</source>
        <translation>指向一个词可看它注意什么，单击可固定它。</translation>
    </message>
    <message>
        <source>Put a mask token, such as [MASK], into the text to see what is predicted there.</source>
        <translation>在文本中放入 [MASK] 之类的掩盖词元，即可看到模型在那里预测什么。</translation>
    </message>
    <message>
        <source>Random sets of as many heads in each of the same layers are turned off instead, so that the effect can be compared with something</source>
        <translation>改为关闭相同各层中同样数目的随机头组，使效果有所比较</translation>
    </message>
    <message>
        <source>Random sets of heads</source>
        <translation>随机头组</translation>
    </message>
    <message>
        <source>Random sets of heads are turned off (ablated).</source>
        <translation>正在关闭（消融）随机头组。</translation>
    </message>
    <message>
        <source>Random sets of heads are turned off (ablated): {done} of {count}.</source>
        <translation>正在关闭（消融）随机头组：{done} / {count}。</translation>
    </message>
    <message>
        <source>Rank of the followed token after each layer</source>
        <translation>所跟踪的词元在每层之后的名次</translation>
    </message>
    <message>
        <source>Residual share</source>
        <translation>残差份额</translation>
    </message>
    <message>
        <source>Roles</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Roles: {0} texts</source>
        <translation>角色：{0} 个文本</translation>
    </message>
    <message>
        <source>Roles: {0} texts (changed)</source>
        <translation>角色：{0} 个文本（已改变）</translation>
    </message>
    <message>
        <source>Rows are states at a token: above layer 1 they hold what other tokens wrote there.</source>
        <translation>各行是某个词元处的状态：在第 1 层之上，其中有别的词元写入的内容。</translation>
    </message>
    <message>
        <source>Run the model once without each head (ablation). The colour is how much probability the top token loses, unless it is what each head adds; then that is on the right.</source>
        <translation>逐个去掉每个头各运行一次模型（消融）。颜色是最可能的词元失去多少概率；若颜色表示每个头的贡献，则它在右侧。</translation>
    </message>
    <message>
        <source>Scroll a long text</source>
        <translation>滚动长文本</translation>
    </message>
    <message>
        <source>Show the new token before or after</source>
        <translation>显示前一个或后一个新词元</translation>
    </message>
    <message>
        <source>Show the pass that leads to an earlier token; Run continues from there</source>
        <translation>显示得出较早词元的那次前向；“运行”从那里继续</translation>
    </message>
    <message>
        <source>Show what a patch attends to</source>
        <translation>显示一个图块注意什么</translation>
    </message>
    <message>
        <source>Show {token} again</source>
        <translation>重新显示 {token}</translation>
    </message>
    <message>
        <source>Side</source>
        <translation>侧</translation>
    </message>
    <message>
        <source>Small pictures</source>
        <translation>小图</translation>
    </message>
    <message>
        <source>Stopped. Choose the page again to read the state after each layer.</source>
        <translation>已停止。再次选择本页即可读取每层之后的状态。</translation>
    </message>
    <message>
        <source>Such as [CLS]; the rows then no longer sum to 1</source>
        <translation>如 [CLS]；此后每行之和不再为 1</translation>
    </message>
    <message>
        <source>Text B as A</source>
        <translation>文本 B 作为 A</translation>
    </message>
    <message>
        <source>The chosen heads beside random ones</source>
        <translation>所选的头与随机头组</translation>
    </message>
    <message>
        <source>The colour is what each head adds to a logit by itself (direct logit attribution).</source>
        <translation>颜色表示每个头自身对 logit 的贡献（直接 logit 归因）。</translation>
    </message>
    <message>
        <source>The encoder's heads do not write into the state that predicts; what heads add is shown under Decoder and Cross.</source>
        <translation>编码器的头不写入用于预测的状态；头的贡献显示在“解码器”和“交叉”中。</translation>
    </message>
    <message>
        <source>The folder now holds another model than the one seen before.</source>
        <translation>文件夹中现在是另一个模型，不是先前看到的那个。</translation>
    </message>
    <message>
        <source>The folder's own settings make it “{token}”.</source>
        <translation>文件夹自己的设置使它成为“{token}”。</translation>
    </message>
    <message>
        <source>The image is another one than was seen before.</source>
        <translation>图像与先前所见的不同。</translation>
    </message>
    <message>
        <source>The image, overlaid by how much each patch attends to the chosen one</source>
        <translation>图像，按每个图块对所选图块的注意着色</translation>
    </message>
    <message>
        <source>The image, shaded by what the chosen patch draws on</source>
        <translation>图像，按所选图块来自哪里着色</translation>
    </message>
    <message>
        <source>The map names heads by the role in which they stand out in most of these texts; the large head and the inspector are of the text on screen.</source>
        <translation>图按头在这些文本的多数中表现突出的角色命名；大的头和检查器属于屏幕上的文本。</translation>
    </message>
    <message>
        <source>The map: a row for each query, a column for each key</source>
        <translation>图：每个查询一行，每个键一列</translation>
    </message>
    <message>
        <source>The model's own tokens as A</source>
        <translation>以模型自己的词元为 A</translation>
    </message>
    <message>
        <source>The number of each head</source>
        <translation>每个头的数</translation>
    </message>
    <message>
        <source>The picture shows the last map that could be made.</source>
        <translation>图中显示的是最后一幅可以得出的图。</translation>
    </message>
    <message>
        <source>The share r of the identity in each layer, for the residual connection; Abnar &amp; Zuidema take 0.5</source>
        <translation>每层中单位矩阵（即残差连接）的份额 r；Abnar 和 Zuidema 取 0.5</translation>
    </message>
    <message>
        <source>The state after each layer is being read.</source>
        <translation>正在读取每一层之后的状态。</translation>
    </message>
    <message>
        <source>The state after each layer is being read: {done} of {count}.</source>
        <translation>正在读取每一层之后的状态：{done} / {count}。</translation>
    </message>
    <message>
        <source>The text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>The text is shaded by its own largest weight, not as the matrix</source>
        <translation>文本按它自己的最大权重着色，与矩阵不同</translation>
    </message>
    <message>
        <source>The text, shaded by how much each token attends to the chosen one</source>
        <translation>文本，按什么注意所选词元着色</translation>
    </message>
    <message>
        <source>The text, shaded by what the chosen token draws on</source>
        <translation>文本，按所选词元来自哪里着色</translation>
    </message>
    <message>
        <source>The top token after each layer, at every token</source>
        <translation>每层之后、每个词元处最可能的词元</translation>
    </message>
    <message>
        <source>This cell is painted for {name}; choose what the brush paints in View.</source>
        <translation>此格是为 {name} 涂的；请在“视图”中选择画笔涂什么。</translation>
    </message>
    <message>
        <source>This folder has no head that names classes; all else is shown.</source>
        <translation>此文件夹没有给出类别的输出头；其余都会显示。</translation>
    </message>
    <message>
        <source>This folder has no head that predicts tokens; all else is shown.</source>
        <translation>此文件夹没有预测词元的头；其余都显示。</translation>
    </message>
    <message>
        <source>This head</source>
        <translation>这个头</translation>
    </message>
    <message>
        <source>This is measured without the first and the special tokens.</source>
        <translation>测量时不计第一个词元和特殊词元。</translation>
    </message>
    <message>
        <source>Turn each off in turn</source>
        <translation>逐个关闭</translation>
    </message>
    <message>
        <source>Turn head {head} off (X)</source>
        <translation>关闭头 {head}（X）</translation>
    </message>
    <message>
        <source>What each head adds</source>
        <translation>每个头的贡献</translation>
    </message>
    <message>
        <source>What each head adds to the logit is being computed.</source>
        <translation>正在计算每个头对 logit 的贡献。</translation>
    </message>
    <message>
        <source>What heads add and cost</source>
        <translation>头的贡献与代价</translation>
    </message>
    <message>
        <source>What the interventions do</source>
        <translation>干预有何影响</translation>
    </message>
    <message>
        <source>What was checked</source>
        <translation>检查过什么</translation>
    </message>
    <message>
        <source>Why this weight</source>
        <translation>为何是这个权重</translation>
    </message>
    <message>
        <source>Without interventions as A</source>
        <translation>无干预的运行作为 A</translation>
    </message>
    <message>
        <source>adds to the logit</source>
        <translation>对 logit 的贡献</translation>
    </message>
    <message>
        <source>after layer {layer}, at “{token}”</source>
        <translation>第 {layer} 层之后，在“{token}”处</translation>
    </message>
    <message>
        <source>all layers</source>
        <translation>所有层</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>所选</translation>
    </message>
    <message>
        <source>classes of the image</source>
        <translation>图像的类别</translation>
    </message>
    <message>
        <source>compare with {count} random sets</source>
        <translation>与 {count} 个随机头组比较</translation>
    </message>
    <message>
        <source>head {head} adds {adds}; without it the logit changes by {lost}</source>
        <translation>头 {head} 贡献 {adds}；没有它时 logit 变化 {lost}</translation>
    </message>
    <message>
        <source>in place of “{0}”</source>
        <translation>“{0}”处</translation>
    </message>
    <message>
        <source>its own tokens</source>
        <translation>模型自己的词元</translation>
    </message>
    <message>
        <source>last layer</source>
        <translation>最后一层</translation>
    </message>
    <message>
        <source>layer {layer}, at “{token}”: “{top}” {share}</source>
        <translation>第 {layer} 层，在“{token}”处：“{top}” {share}</translation>
    </message>
    <message>
        <source>layer {layer}: rank {rank}, {share}</source>
        <translation>第 {layer} 层：名次 {rank}，{share}</translation>
    </message>
    <message>
        <source>logit of “{token}”</source>
        <translation>“{token}”的 logit</translation>
    </message>
    <message>
        <source>logit of “{token}”, the top one</source>
        <translation>“{token}”的 logit（最可能）</translation>
    </message>
    <message>
        <source>lost without it</source>
        <translation>没有它时的损失</translation>
    </message>
    <message>
        <source>minus that of</source>
        <translation>减去：</translation>
    </message>
    <message>
        <source>next token after “{0}”</source>
        <translation>“{0}”之后的词元</translation>
    </message>
    <message>
        <source>no role in most texts</source>
        <translation>在多数文本中没有角色</translation>
    </message>
    <message>
        <source>not compared with random heads</source>
        <translation>不与随机头组比较</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>probability of the top token</source>
        <translation>最可能词元的概率</translation>
    </message>
    <message>
        <source>rank of “{name}” at “{token}”</source>
        <translation>“{name}”在“{token}”处的名次</translation>
    </message>
    <message>
        <source>residual share</source>
        <translation>残差份额</translation>
    </message>
    <message>
        <source>shaded up to {largest}</source>
        <translation>着色至 {largest}</translation>
    </message>
    <message>
        <source>text B</source>
        <translation>文本 B</translation>
    </message>
    <message>
        <source>the score shown</source>
        <translation>所显示的分数</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>top prediction</source>
        <translation>最可能的预测</translation>
    </message>
    <message>
        <source>up to layer {n}</source>
        <translation>到第 {n} 层</translation>
    </message>
    <message>
        <source>was {0}</source>
        <translation>原为 {0}</translation>
    </message>
    <message>
        <source>without interventions</source>
        <translation>无干预</translation>
    </message>
    <message>
        <source>without it the logit changes by {lost}</source>
        <translation>没有它时 logit 变化 {lost}</translation>
    </message>
    <message>
        <source>{0} cannot be read now.</source>
        <translation>现在无法读取 {0}。</translation>
    </message>
    <message>
        <source>{0} now has other texts than those that were measured.</source>
        <translation>{0} 现在的文本与所测量的不同。</translation>
    </message>
    <message>
        <source>{0} · point at a token of the text to see what looks at it</source>
        <translation>{0} · 指向文本中的一个词元，查看哪些词元关注它</translation>
    </message>
    <message>
        <source>{0} · “{1}” is looked at by</source>
        <translation>{0} · 注意“{1}”的有</translation>
    </message>
    <message>
        <source>{0} · “{1}” looks at</source>
        <translation>{0} · “{1}”看向</translation>
    </message>
    <message numerus="yes">
        <source>{count} further terms</source>
        <extracomment>one: 1 further term</extracomment>
        <translation><numerusform>其余 {count} 项</numerusform></translation>
    </message>
    <message>
        <source>{count} of {most} tokens</source>
        <translation>{count} / {most} 个词元</translation>
    </message>
    <message numerus="yes">
        <source>{head}: {count} cells</source>
        <extracomment>one: {head}: 1 cell</extracomment>
        <translation><numerusform>{head}：{count} 格</numerusform></translation>
    </message>
    <message>
        <source>{layer}: turning one head off costs {low} to {high}</source>
        <translation>{layer}：关闭一个头损失 {low} 到 {high}</translation>
    </message>
    <message>
        <source>{n}: prediction</source>
        <translation>{n}：预测</translation>
    </message>
    <message>
        <source>{title}, all tokens</source>
        <translation>{title}，全部词元</translation>
    </message>
    <message>
        <source>“{0}” draws on</source>
        <translation>“{0}”来自</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/model/editors</name>
    <message>
        <source>Allow the cells again</source>
        <translation>重新允许这些格</translation>
    </message>
    <message>
        <source>Continue with the model's own token again</source>
        <translation>恢复为模型自己的词元</translation>
    </message>
    <message>
        <source>Folder of a model</source>
        <translation>模型的文件夹</translation>
    </message>
    <message>
        <source>Image that the model reads</source>
        <translation>模型读取的图像</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Other folder ...</source>
        <translation>其他文件夹 ...</translation>
    </message>
    <message>
        <source>Other image ...</source>
        <translation>其他图像...</translation>
    </message>
    <message>
        <source>Show the token again</source>
        <translation>重新显示该词元</translation>
    </message>
    <message>
        <source>Take the model's own output again</source>
        <translation>恢复模型自己的输出</translation>
    </message>
    <message>
        <source>The image, as the model gets it</source>
        <translation>模型得到的图像</translation>
    </message>
    <message>
        <source>Turn the head on again</source>
        <translation>重新打开该头</translation>
    </message>
    <message>
        <source>none: an encoder-decoder writes by itself</source>
        <translation>无：由编码器-解码器自己写</translation>
    </message>
    <message>
        <source>none: the text is read</source>
        <translation>无：读取文本</translation>
    </message>
    <message>
        <source>none: type one to compare with</source>
        <translation>无：输入一段以作比较</translation>
    </message>
    <message>
        <source>type a text</source>
        <translation>输入文本</translation>
    </message>
    <message numerus="yes">
        <source>{count} new tokens take up to {size} beside the model.</source>
        <extracomment>one: 1 new token takes up to {size} beside the model.</extracomment>
        <translation><numerusform>除模型外，{count} 个新词元最多占用 {size} 内存。</numerusform></translation>
    </message>
    <message>
        <source>“{0}” is no token of this folder; type its number, or choose a language</source>
        <translation>“{0}”不是此文件夹的词元；请输入其编号，或选择一种语言</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/regression</name>
    <message>
        <source>0: no point in reach</source>
        <translation>0：核范围内没有点</translation>
    </message>
    <message>
        <source>CELL x = {0}, xᵢ = {1}</source>
        <translation>格 x = {0}，xᵢ = {1}</translation>
    </message>
    <message>
        <source>Click or Enter takes kernel and width.</source>
        <translation>单击或按 Enter 采用核与带宽。</translation>
    </message>
    <message>
        <source>Click to use a width.</source>
        <translation>单击采用一个带宽。</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Computing ...</source>
        <translation>正在计算 ...</translation>
    </message>
    <message>
        <source>Computing every kernel at every width ...</source>
        <translation>正在计算每个核在每个带宽下的结果 ...</translation>
    </message>
    <message>
        <source>Computing the errors over the width ...</source>
        <translation>正在计算各带宽下的误差 ...</translation>
    </message>
    <message>
        <source>Constant: the average.</source>
        <translation>常数核：平均汇聚。</translation>
    </message>
    <message>
        <source>Dots are the last {0} steps, ★ is the least.</source>
        <translation>圆点是最近的 {0} 步，★ 是最小值。</translation>
    </message>
    <message>
        <source>Dots are the steps so far, ★ is the least.</source>
        <translation>圆点是到目前为止的各步，★ 是最小值。</translation>
    </message>
    <message>
        <source>Heads: w and share</source>
        <translation>各头：w 与占比</translation>
    </message>
    <message>
        <source>K of u is {0}; u is {1}</source>
        <translation>K(u) 为 {0}；u 为 {1}</translation>
    </message>
    <message>
        <source>K of u, where u is the difference over a width: {0}</source>
        <translation>K(u)，其中 u 为差除以带宽：{0}</translation>
    </message>
    <message>
        <source>K(u)</source>
        <translation>K(u)</translation>
    </message>
    <message>
        <source>K(u) = exp(score)</source>
        <translation>K(u) = exp(分数)</translation>
    </message>
    <message>
        <source>K, the same for every key</source>
        <translation>K，对每个键都相同</translation>
    </message>
    <message>
        <source>Least: {0}.</source>
        <translation>最小：{0}。</translation>
    </message>
    <message>
        <source>Loss and w</source>
        <translation>损失与 w</translation>
    </message>
    <message>
        <source>Loss over w</source>
        <translation>损失随 w 的变化</translation>
    </message>
    <message>
        <source>Mean squared error</source>
        <translation>均方误差</translation>
    </message>
    <message>
        <source>Mean squared error of the curve against the function without noise, over the queries in reach</source>
        <translation>曲线与无噪声函数之间的均方误差，只计核范围内有点的查询</translation>
    </message>
    <message>
        <source>Numbers: leave-one-out errors, ★ the least.</source>
        <translation>数字：留一法误差，★ 为最小。</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>QUERY x = {0}</source>
        <translation>查询 x = {0}</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Stopped. Choose the page again to compute it.</source>
        <translation>已停止。再次选择此页即可计算。</translation>
    </message>
    <message>
        <source>The curves show the previous settings.</source>
        <translation>曲线仍是先前的设置。</translation>
    </message>
    <message>
        <source>The loss if all heads had the same w; lines mark each head's w.</source>
        <translation>假设所有头的 w 相同时的损失；竖线标出每个头的 w。</translation>
    </message>
    <message>
        <source>The pictures show the previous settings.</source>
        <translation>图中仍是先前的设置。</translation>
    </message>
    <message>
        <source>These points have no leave-one-out errors.</source>
        <translation>这些点没有留一法误差。</translation>
    </message>
    <message>
        <source>Thin lines: some points have no neighbour in reach and do not count.</source>
        <translation>细线：有些点在核范围内没有邻点，不计入。</translation>
    </message>
    <message>
        <source>This takes a while for more than {0} points.</source>
        <translation>超过 {0} 个点时需要一些时间。</translation>
    </message>
    <message>
        <source>all heads, averaged</source>
        <translation>所有头的平均</translation>
    </message>
    <message>
        <source>cells not square</source>
        <translation>格非正方形</translation>
    </message>
    <message>
        <source>e = exp(score − largest)</source>
        <translation>e = exp(分数 − 最大值)</translation>
    </message>
    <message>
        <source>each weight is 1 over {0}</source>
        <translation>每个权重为 1 除以 {0}</translation>
    </message>
    <message>
        <source>each weight is its K of u over the sum of all {0}</source>
        <translation>每个权重为其 K(u) 除以全部 {0} 个之和</translation>
    </message>
    <message>
        <source>error to the truth</source>
        <translation>与真值的误差</translation>
    </message>
    <message>
        <source>every key has the same height, 1</source>
        <translation>每个键的高度相同，都为 1</translation>
    </message>
    <message>
        <source>f of x is the sum of weight times y over {0} keys</source>
        <translation>f(x) 是 {0} 个键上权重乘 y 之和</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>拟合</translation>
    </message>
    <message>
        <source>head {0}: share {1}</source>
        <translation>头 {0}：占比 {1}</translation>
    </message>
    <message>
        <source>head {0}: share × weight</source>
        <translation>头 {0}：占比 × 权重</translation>
    </message>
    <message>
        <source>its {0} heads</source>
        <translation>其 {0} 个头</translation>
    </message>
    <message>
        <source>largest score of the row</source>
        <translation>该行的最大分数</translation>
    </message>
    <message>
        <source>leave-one-out</source>
        <translation>留一法</translation>
    </message>
    <message>
        <source>leave-one-out error</source>
        <translation>留一法误差</translation>
    </message>
    <message>
        <source>no point in reach</source>
        <translation>核范围内没有点</translation>
    </message>
    <message>
        <source>no training point in reach</source>
        <translation>核范围内没有训练点</translation>
    </message>
    <message>
        <source>no training point in reach; {0} gives {1}</source>
        <translation>核范围内没有训练点；“{0}”给出 {1}</translation>
    </message>
    <message>
        <source>queries x</source>
        <translation>查询 x</translation>
    </message>
    <message>
        <source>query x minus each of {0} keys</source>
        <translation>查询 x 减去 {0} 个键中的每一个</translation>
    </message>
    <message>
        <source>score = {0}</source>
        <translation>分数 = {0}</translation>
    </message>
    <message>
        <source>sum of weights</source>
        <translation>权重之和</translation>
    </message>
    <message>
        <source>the difference over {0}</source>
        <translation>差除以 {0}</translation>
    </message>
    <message>
        <source>the difference times w</source>
        <translation>差乘 w</translation>
    </message>
    <message>
        <source>the difference times {0}</source>
        <translation>差乘 {0}</translation>
    </message>
    <message>
        <source>the heights of {0} heads, each with its own w, averaged by their shares p</source>
        <translation>{0} 个头各用自己的 w 算出高度，再按占比 p 取平均</translation>
    </message>
    <message>
        <source>the least</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>the mean over {0} points of the squared error of each, predicted from all the others</source>
        <translation>{0} 个点上平方误差的均值，每点由其余所有点预测</translation>
    </message>
    <message>
        <source>the weights of {0} heads, averaged by their shares p</source>
        <translation>{0} 个头的权重按占比 p 取平均</translation>
    </message>
    <message>
        <source>to truth</source>
        <translation>对真值</translation>
    </message>
    <message>
        <source>training points x</source>
        <translation>训练点 x</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>w</source>
        <translation>w</translation>
    </message>
    <message>
        <source>w = 1/width</source>
        <translation>w = 1/带宽</translation>
    </message>
    <message>
        <source>weight (policy: {0})</source>
        <translation>权重（策略：{0}）</translation>
    </message>
    <message>
        <source>weight = K / Σ K</source>
        <translation>权重 = K / Σ K</translation>
    </message>
    <message>
        <source>weight = e / Σ e</source>
        <translation>权重 = e / Σ e</translation>
    </message>
    <message>
        <source>weight = Σ share × weight</source>
        <translation>权重 = Σ 占比 × 权重</translation>
    </message>
    <message>
        <source>weight × yᵢ = {0}</source>
        <translation>权重 × yᵢ = {0}</translation>
    </message>
    <message>
        <source>width 1/w</source>
        <translation>带宽 1/w</translation>
    </message>
    <message>
        <source>x − xᵢ = {0}</source>
        <translation>x − xᵢ = {0}</translation>
    </message>
    <message>
        <source>x − xᵢ, not used here</source>
        <translation>x − xᵢ，此处不用</translation>
    </message>
    <message>
        <source>{0} (diverged)</source>
        <translation>{0}（发散）</translation>
    </message>
    <message>
        <source>{0} The average itself has no width.</source>
        <translation>{0}平均汇聚本身没有带宽。</translation>
    </message>
    <message>
        <source>{0} at width {1}</source>
        <translation>{0}，带宽 {1}</translation>
    </message>
    <message>
        <source>{0} heads</source>
        <translation>{0} 个头</translation>
    </message>
    <message>
        <source>{0} kernel.</source>
        <translation>{0} 核。</translation>
    </message>
    <message>
        <source>{0} kernels × {1} widths</source>
        <translation>{0} 个核 × {1} 个带宽</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} / {1}</translation>
    </message>
    <message>
        <source>{0} to {1}</source>
        <translation>{0} 到 {1}</translation>
    </message>
    <message>
        <source>{0}, cells not square</source>
        <translation>{0}，格非正方形</translation>
    </message>
    <message>
        <source>{0}, which is the softmax of the logarithm of K of u</source>
        <translation>{0}，即 K(u) 的对数的 softmax</translation>
    </message>
    <message>
        <source>{0}: queries by training points</source>
        <translation>{0}：查询 × 训练点</translation>
    </message>
    <message>
        <source>Σ K of the row</source>
        <translation>该行的 Σ K</translation>
    </message>
    <message>
        <source>Σ e of the row</source>
        <translation>该行的 Σ e</translation>
    </message>
    <message>
        <source>Σ weight × y</source>
        <translation>Σ 权重 × y</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/regression/editors</name>
    <message>
        <source>Add ...</source>
        <translation>添加 ...</translation>
    </message>
    <message>
        <source>Choose a file of two columns, x and y.</source>
        <translation>选择一个两列的文件，x 与 y。</translation>
    </message>
    <message>
        <source>Drag a point to move it, double-click to add one, Delete removes the selected one.</source>
        <translation>拖动可移动点，双击可添加点，按 Delete 移除选中的点。</translation>
    </message>
    <message>
        <source>Draw another estimator on the same points</source>
        <translation>在同样的点上再画一个估计器</translation>
    </message>
    <message>
        <source>Keep this one: {0}</source>
        <translation>保留当前的：{0}</translation>
    </message>
    <message>
        <source>Open points</source>
        <translation>打开点</translation>
    </message>
    <message>
        <source>Remove this curve</source>
        <translation>移除这条曲线</translation>
    </message>
    <message>
        <source>Save the points on screen as CSV</source>
        <translation>把屏幕上的点保存为 CSV</translation>
    </message>
    <message>
        <source>Take two columns from the clipboard as the points</source>
        <translation>把剪贴板中的两列作为点</translation>
    </message>
    <message>
        <source>the clipboard</source>
        <translation>剪贴板</translation>
    </message>
    <message>
        <source>the clipboard holds too much text; save it as a file</source>
        <translation>剪贴板中的文本太多；将其存为文件</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/regression/plots</name>
    <message>
        <source>Add a training point</source>
        <translation>添加一个训练点</translation>
    </message>
    <message>
        <source>Choose a kernel and a width</source>
        <translation>选择核与带宽</translation>
    </message>
    <message>
        <source>Choose a training point</source>
        <translation>选择一个训练点</translation>
    </message>
    <message>
        <source>Click, Return, Space</source>
        <translation>单击、Return、空格</translation>
    </message>
    <message>
        <source>Ctrl+Up, Ctrl+Down, Ctrl+Left, Ctrl+Right</source>
        <translation>Ctrl+上、Ctrl+下、Ctrl+左、Ctrl+右</translation>
    </message>
    <message>
        <source>Delete, Backspace</source>
        <translation>Delete、Backspace</translation>
    </message>
    <message>
        <source>Double click, Insert</source>
        <translation>双击、Insert</translation>
    </message>
    <message>
        <source>Errors over the width</source>
        <translation>误差随带宽的变化</translation>
    </message>
    <message>
        <source>Fit: training points, truth and fitted curve</source>
        <translation>拟合：训练点、真值与拟合曲线</translation>
    </message>
    <message>
        <source>Hold a query</source>
        <translation>锁定一个查询</translation>
    </message>
    <message>
        <source>Kernels by widths: fits and weights</source>
        <translation>核 × 带宽：拟合与权重</translation>
    </message>
    <message>
        <source>Move a training point</source>
        <translation>移动一个训练点</translation>
    </message>
    <message>
        <source>Move the chosen point</source>
        <translation>移动所选的点</translation>
    </message>
    <message>
        <source>Remove the chosen point</source>
        <translation>移除所选的点</translation>
    </message>
    <message>
        <source>Shift+Left, Shift+Right</source>
        <translation>Shift+左、Shift+右</translation>
    </message>
    <message>
        <source>Take this kernel and width</source>
        <translation>采用这个核与带宽</translation>
    </message>
    <message>
        <source>Take this width</source>
        <translation>采用这个带宽</translation>
    </message>
    <message>
        <source>Training points and query</source>
        <translation>训练点和查询</translation>
    </message>
    <message>
        <source>least {0} at w {1}</source>
        <translation>最小 {0}，w 为 {1}</translation>
    </message>
    <message>
        <source>least {0} at width {1}</source>
        <translation>最小 {0}，带宽为 {1}</translation>
    </message>
    <message>
        <source>left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>mean squared error</source>
        <translation>均方误差</translation>
    </message>
    <message>
        <source>not computed yet</source>
        <translation>尚未计算</translation>
    </message>
    <message>
        <source>weight of each point</source>
        <translation>每个点的权重</translation>
    </message>
    <message>
        <source>width σ</source>
        <translation>带宽 σ</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/train</name>
    <message>
        <source>0 always takes the top prediction, 1 samples from the predicted probabilities</source>
        <translation>0 取概率最大的词元，1 按预测的概率抽取</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>A and B are the same step of one training.</source>
        <translation>A 与 B 是同一训练的同一步。</translation>
    </message>
    <message>
        <source>A: {run}</source>
        <translation>A：{run}</translation>
    </message>
    <message>
        <source>Accuracy without all heads of a role, every other head on</source>
        <translation>去掉一个角色的所有头、其余头都打开时的准确率</translation>
    </message>
    <message>
        <source>After the prompt the model predicts “{0}”. Press Write to continue.</source>
        <translation>模型预测提示之后是“{0}”。按“续写”让它继续。</translation>
    </message>
    <message>
        <source>Another model wrote this: its tokens or its length differ. Press Write again.</source>
        <translation>这段文字出自另一个模型：词元或长度不符。再按一次“续写”。</translation>
    </message>
    <message>
        <source>Arcs show the chosen head's weights; one below {0} has none</source>
        <translation>弧线表示所选头的权重；低于 {0} 的不画</translation>
    </message>
    <message>
        <source>B: {run}</source>
        <translation>B：{run}</translation>
    </message>
    <message>
        <source>Choose the next head</source>
        <translation>选择相邻的头</translation>
    </message>
    <message>
        <source>Clear the box to turn all heads of this role off</source>
        <translation>取消勾选即关闭此角色的所有头</translation>
    </message>
    <message>
        <source>Click a head to choose it. X turns it off.</source>
        <translation>单击一个头将其选中。按 X 将其关闭。</translation>
    </message>
    <message>
        <source>Click a token to see the attention before it.</source>
        <translation>单击一个词元，查看生成它之前的注意力。</translation>
    </message>
    <message>
        <source>Computing pairs with {head}</source>
        <translation>正在计算与 {head} 配对的结果</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>个数</translation>
    </message>
    <message>
        <source>Curves of heads</source>
        <translation>各头的曲线</translation>
    </message>
    <message>
        <source>Drag over the curves to look at a step. Click a head to choose it.</source>
        <translation>在曲线上拖动以查看某一步。单击一个头将其选中。</translation>
    </message>
    <message>
        <source>Each accuracy is on sequences of its own seed.</source>
        <translation>每个准确率都在各自种子的序列上计算。</translation>
    </message>
    <message>
        <source>Each head is measured once the training is paused or ends.</source>
        <translation>训练暂停或结束后，才测量每个头。</translation>
    </message>
    <message>
        <source>Effect of heads</source>
        <translation>各头的影响</translation>
    </message>
    <message>
        <source>Hold the row of another token</source>
        <translation>锁定另一个词元的行</translation>
    </message>
    <message>
        <source>List the chosen head with each other one, both off, instead of pairs of a role.
The mark in a bar is the sum of what is lost without each of them alone.
Pairs whose loss rises most beyond that come first: one head stands in for the other.</source>
        <translation>列出所选的头与其他每个头同时关闭的结果，代替同一角色中的配对。
条形中的标记是分别关闭两个头的损失变化之和。
损失超出此和最多的配对排在最前：其中一个头能顶替另一个。</translation>
    </message>
    <message>
        <source>Loss and accuracy</source>
        <translation>损失与准确率</translation>
    </message>
    <message>
        <source>Most probable next tokens</source>
        <translation>概率最大的下一词元</translation>
    </message>
    <message>
        <source>NEXT TOKEN AFTER “{0}”</source>
        <translation>“{0}”之后的下一个词元</translation>
    </message>
    <message>
        <source>New training</source>
        <translation>新训练</translation>
    </message>
    <message>
        <source>No room for the curves: see Learning.</source>
        <translation>没有画曲线的位置：见“学习”。</translation>
    </message>
    <message>
        <source>Not trained with these settings yet: New training starts it, or Run.</source>
        <translation>尚未用这些设置训练：按“新训练”或“运行”开始。</translation>
    </message>
    <message>
        <source>Pairs with {head}</source>
        <translation>与 {head} 配对</translation>
    </message>
    <message>
        <source>Pin this step as A</source>
        <translation>将此步固定为 A</translation>
    </message>
    <message>
        <source>Pin this step as A, then go to another step, change the seed, or turn a head off.</source>
        <translation>将此步固定为 A，再转到另一步、更换种子，或关闭一个头。</translation>
    </message>
    <message>
        <source>Predictions</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Press Write: the model continues the prompt with its own predictions.</source>
        <translation>按“续写”：模型用自己的预测续写提示。</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Roles are turned off in turn after the heads.</source>
        <translation>在各头之后，再依次关闭各角色。</translation>
    </message>
    <message>
        <source>Roles of all heads</source>
        <translation>所有头的角色</translation>
    </message>
    <message>
        <source>Roles of every head</source>
        <translation>每个头的角色</translation>
    </message>
    <message>
        <source>Sample one token after another from the predictions of the step on screen</source>
        <translation>按屏幕上这一步的预测逐个抽取词元</translation>
    </message>
    <message>
        <source>Show a token's probability</source>
        <translation>显示一个词元的概率</translation>
    </message>
    <message>
        <source>Show the attention before a token</source>
        <translation>显示一个词元之前的注意力</translation>
    </message>
    <message>
        <source>Statistics of the layer's heads</source>
        <translation>该层各头的统计量</translation>
    </message>
    <message>
        <source>Stopped. Choose the page again to turn each head off in turn.</source>
        <translation>已停止。再次选择此页即可依次关闭每个头。</translation>
    </message>
    <message>
        <source>Stopped. Press Write to begin again.</source>
        <translation>已停止。按“续写”重新开始。</translation>
    </message>
    <message>
        <source>The stronger the colour behind a token, the less probable it was.</source>
        <translation>词元的底色越深，它当时的概率越小。</translation>
    </message>
    <message>
        <source>The written text</source>
        <translation>写出的文本</translation>
    </message>
    <message>
        <source>Token {0}, “{1}”: probability {2}, after {3} tokens that the model saw.</source>
        <translation>第 {0} 个词元“{1}”：概率 {2}，此前模型看到 {3} 个词元。</translation>
    </message>
    <message>
        <source>Too few rows count: the head has nothing to do there, or parks its attention on the first token</source>
        <translation>计入的行太少：该头在那里无事可做，或停在第一个词元上</translation>
    </message>
    <message>
        <source>Train again from step 0 with these settings: the learning rate acts from the start. Undo brings this training back.</source>
        <translation>用这些设置从第 0 步重新训练：学习率从头起作用。撤销可恢复当前训练。</translation>
    </message>
    <message>
        <source>Type a prompt of at least one token.</source>
        <translation>输入至少含一个词元的提示。</translation>
    </message>
    <message>
        <source>What each head attends to, and what is lost without it</source>
        <translation>每个头看什么，关闭它会损失什么</translation>
    </message>
    <message>
        <source>What is before or after the layers</source>
        <translation>各层之前或之后的内容</translation>
    </message>
    <message>
        <source>What it predicts next</source>
        <translation>它预测的下一个词元</translation>
    </message>
    <message>
        <source>What the model predicts</source>
        <translation>模型的预测</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>Writing ...</source>
        <translation>正在续写 ...</translation>
    </message>
    <message>
        <source>a row of the embedding for each token</source>
        <translation>每个词元对应嵌入的一行</translation>
    </message>
    <message>
        <source>accuracy {0}</source>
        <translation>准确率 {0}</translation>
    </message>
    <message>
        <source>after “{0}”, token {1}: “{2}”, {3}</source>
        <translation>第 {1} 个词元“{0}”之后：“{2}”，{3}</translation>
    </message>
    <message>
        <source>arcs off screen: {0}</source>
        <translation>视野外的弧线：{0}</translation>
    </message>
    <message>
        <source>arcs ≥ {0}</source>
        <translation>弧线 ≥ {0}</translation>
    </message>
    <message>
        <source>at least {0}</source>
        <translation>至少 {0}</translation>
    </message>
    <message>
        <source>before the first step</source>
        <translation>第一步之前</translation>
    </message>
    <message>
        <source>cannot be known</source>
        <translation>无从得知</translation>
    </message>
    <message>
        <source>each alone, added</source>
        <translation>分别关闭之和</translation>
    </message>
    <message>
        <source>embed</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>grey: unknown</source>
        <translation>灰色：无从得知</translation>
    </message>
    <message>
        <source>its own role</source>
        <translation>各自的角色</translation>
    </message>
    <message>
        <source>loss / {0}</source>
        <translation>损失 / {0}</translation>
    </message>
    <message>
        <source>loss {0}</source>
        <translation>损失 {0}</translation>
    </message>
    <message>
        <source>next tokens</source>
        <translation>下一个词元</translation>
    </message>
    <message>
        <source>nothing is written yet</source>
        <translation>尚未写出任何内容</translation>
    </message>
    <message>
        <source>prediction</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>probability of the next token</source>
        <translation>下一个词元的概率</translation>
    </message>
    <message>
        <source>residual stream before layer 1</source>
        <translation>第 1 层之前的残差流</translation>
    </message>
    <message>
        <source>right token</source>
        <translation>应接</translation>
    </message>
    <message>
        <source>score in the role named at the right, held at the last step</source>
        <translation>按右侧所列角色计分，角色以最后一步为准</translation>
    </message>
    <message>
        <source>softmax of the stream after layer {0} times the unembedding</source>
        <translation>第 {0} 层后的残差流乘以反嵌入矩阵，再取 softmax</translation>
    </message>
    <message>
        <source>sorted by accuracy lost</source>
        <translation>按准确率损失排序</translation>
    </message>
    <message>
        <source>sorted by loss beyond each alone</source>
        <translation>按超出分别关闭之和的损失排序</translation>
    </message>
    <message>
        <source>step {step}:</source>
        <translation>第 {step} 步：</translation>
    </message>
    <message>
        <source>step {step}: loss {loss}, accuracy {accuracy} %</source>
        <translation>第 {step} 步：损失 {loss}，准确率 {accuracy}%</translation>
    </message>
    <message>
        <source>step {step}: {heads}</source>
        <translation>第 {step} 步：{heads}</translation>
    </message>
    <message>
        <source>the tokens of the sequence</source>
        <translation>序列的词元</translation>
    </message>
    <message>
        <source>tokens, one of the vocabulary each</source>
        <translation>词元，各取自词表</translation>
    </message>
    <message>
        <source>vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>without</source>
        <translation>关闭后</translation>
    </message>
    <message>
        <source>without both: accuracy</source>
        <translation>两者都关闭：准确率</translation>
    </message>
    <message>
        <source>without it: accuracy</source>
        <translation>关闭后：准确率</translation>
    </message>
    <message>
        <source>{0} of {1} right</source>
        <translation>{1} 个中 {0} 个正确</translation>
    </message>
    <message>
        <source>{0} off</source>
        <translation>关闭 {0}</translation>
    </message>
    <message>
        <source>{0} off: accuracy {1} % → {2} %, loss {3} → {4}</source>
        <translation>关闭 {0}：准确率 {1}% → {2}%，损失 {3} → {4}</translation>
    </message>
    <message>
        <source>{0} off: accuracy {1} % → {2} %, loss {3} → {4} on {5}</source>
        <translation>关闭 {0}：准确率 {1}% → {2}%，损失 {3} → {4}（{5}）</translation>
    </message>
    <message>
        <source>{0} on average over {1} sequences, at least {2} in each</source>
        <translation>{1} 个序列平均为 {0}，每个至少 {2}</translation>
    </message>
    <message>
        <source>{0} tokens after step {1} at temperature {2}; mean probability {3}.</source>
        <translation>第 {1} 步后以温度 {2} 写出 {0} 个词元；平均概率 {3}。</translation>
    </message>
    <message>
        <source>{0}, plus its position</source>
        <translation>{0}，加上其位置</translation>
    </message>
    <message>
        <source>{0}. Press to look back at a step</source>
        <translation>{0}。按下可回看某一步</translation>
    </message>
    <message>
        <source>{effect} On {sequences}.</source>
        <translation>{effect}依据：{sequences}。</translation>
    </message>
    <message>
        <source>{head} is off: it has no pairs</source>
        <translation>{head} 已关闭：没有配对</translation>
    </message>
    <message>
        <source>“{0}” is not in the training text: leave it out of the prompt.</source>
        <translation>“{0}”不在学过的文本中：从提示中去掉它。</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/labs/train/editors</name>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Learn the text of a file in UTF-8, of at most {0} characters</source>
        <translation>学习一个 UTF-8 文件中的文本，最多 {0} 个字符</translation>
    </message>
    <message>
        <source>Load a text</source>
        <translation>加载文本</translation>
    </message>
    <message>
        <source>Load a text file ...</source>
        <translation>加载文本文件 ...</translation>
    </message>
    <message>
        <source>Text to learn</source>
        <translation>要学习的文本</translation>
    </message>
    <message>
        <source>Train without this change</source>
        <translation>不用此学习率训练</translation>
    </message>
    <message>
        <source>from step {0}: {1}</source>
        <translation>从第 {0} 步起：{1}</translation>
    </message>
    <message>
        <source>the task's own</source>
        <translation>任务自带</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/layers</name>
    <message>
        <source>, masked</source>
        <translation>，被掩蔽</translation>
    </message>
    <message>
        <source>= score</source>
        <translation>= 分数</translation>
    </message>
    <message>
        <source>= weight</source>
        <translation>= 权重</translation>
    </message>
    <message>
        <source>A, the pinned run</source>
        <translation>A，固定的运行</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>B − A, 0 everywhere</source>
        <translation>B − A，处处为 0</translation>
    </message>
    <message>
        <source>Cell: query {0}, key {1}</source>
        <translation>格：查询 {0}，键 {1}</translation>
    </message>
    <message>
        <source>Choose all cells</source>
        <translation>选择所有格</translation>
    </message>
    <message>
        <source>Choose several cells</source>
        <translation>选择多个格</translation>
    </message>
    <message>
        <source>Copy the chosen numbers</source>
        <translation>复制所选数值</translation>
    </message>
    <message>
        <source>Ctrl+A</source>
        <translation>Ctrl+A</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Ctrl+C</translation>
    </message>
    <message>
        <source>Ctrl+C copies the chosen numbers with all digits. T or Esc closes.</source>
        <translation>Ctrl+C 复制所选数值的全部位数。T 或 Esc 关闭。</translation>
    </message>
    <message>
        <source>How it was computed is not known: the weights were given.</source>
        <translation>权重是给定的，计算过程不得而知。</translation>
    </message>
    <message>
        <source>Keys: what they are compared with</source>
        <translation>键：与什么比较</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Numbers: {0}</source>
        <translation>数值：{0}</translation>
    </message>
    <message>
        <source>Point at a word to see its lines, click to hold it; a click on a head shows it large.</source>
        <translation>指向一个词可看其连线，单击可锁定；单击一个头可放大显示。</translation>
    </message>
    <message>
        <source>Q, K or V</source>
        <translation>Q、K 或 V</translation>
    </message>
    <message>
        <source>QUERY {0}</source>
        <translation>查询 {0}</translation>
    </message>
    <message>
        <source>QUERY {0}, HEAD {1}</source>
        <translation>查询 {0}，头 {1}</translation>
    </message>
    <message>
        <source>Queries: what is looked for</source>
        <translation>查询：要找什么</translation>
    </message>
    <message>
        <source>Query {0} gives most to key {1} in A, {2}, and to key {3} in B, {4}.</source>
        <translation>查询 {0} 在 A 中给键 {1} 的权重最大，为 {2}；在 B 中给键 {3} 的权重最大，为 {4}。</translation>
    </message>
    <message>
        <source>Query {0} gives most to key {1}: {2} in A, {3} in B.</source>
        <translation>查询 {0} 给键 {1} 的权重最大：A 中为 {2}，B 中为 {3}。</translation>
    </message>
    <message>
        <source>Query {0}, head {1}</source>
        <translation>查询 {0}，头 {1}</translation>
    </message>
    <message>
        <source>Query {0}, key {1}: {2} {3} in A, {4} in B; B − A is {5}.</source>
        <translation>查询 {0}，键 {1}：{2} 在 A 中为 {3}，在 B 中为 {4}；B − A 为 {5}。</translation>
    </message>
    <message>
        <source>Query, head</source>
        <translation>查询，头</translation>
    </message>
    <message>
        <source>Shift with these, Drag</source>
        <translation>Shift 加上述键、拖动</translation>
    </message>
    <message>
        <source>Show the numbers of the picture as a table, or close it</source>
        <translation>以表格显示图中数值，或关闭表格</translation>
    </message>
    <message>
        <source>Statistics of every head</source>
        <translation>每个头的统计量</translation>
    </message>
    <message>
        <source>T</source>
        <translation>T</translation>
    </message>
    <message>
        <source>Table of numbers</source>
        <translation>数值表</translation>
    </message>
    <message>
        <source>Terms of the score, feature by feature</source>
        <translation>分数的各项，逐个特征</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Values: what is taken in</source>
        <translation>值：取入什么</translation>
    </message>
    <message>
        <source>Weights of the chosen head, item {0}</source>
        <translation>所选头的权重，样本 {0}</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>after dropout {0}</source>
        <translation>暂退法之后 {0}</translation>
    </message>
    <message>
        <source>attends most to {0}</source>
        <translation>最关注 {0}</translation>
    </message>
    <message>
        <source>each on its own ± scale</source>
        <translation>1 = 各名称下的 ± 值</translation>
    </message>
    <message>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>entropy {0} bit</source>
        <translation>熵 {0} 比特</translation>
    </message>
    <message>
        <source>exp</source>
        <translation>exp</translation>
    </message>
    <message>
        <source>key {0}: weight {1}{2}</source>
        <translation>键 {0}：权重 {1}{2}</translation>
    </message>
    <message>
        <source>max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>no valid key in the row</source>
        <translation>该行没有有效键</translation>
    </message>
    <message>
        <source>no valid key: {0}</source>
        <translation>没有有效键：{0}</translation>
    </message>
    <message>
        <source>of the largest magnitude</source>
        <translation>相对于最大绝对值</translation>
    </message>
    <message>
        <source>score {0}</source>
        <translation>分数 {0}</translation>
    </message>
    <message>
        <source>score, all heads</source>
        <translation>分数，所有头</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>和</translation>
    </message>
    <message>
        <source>the sink takes {0}</source>
        <translation>汇占 {0}</translation>
    </message>
    <message>
        <source>weight, A and B</source>
        <translation>权重，A 与 B</translation>
    </message>
    <message>
        <source>weight, all heads</source>
        <translation>权重，所有头</translation>
    </message>
    <message>
        <source>{0} (“{1}” in A)</source>
        <translation>{0}（A 中为“{1}”）</translation>
    </message>
    <message>
        <source>{0} of {1} allowed</source>
        <translation>{1} 个中允许 {0} 个</translation>
    </message>
    <message>
        <source>{0} of {1} keys allowed</source>
        <translation>{1} 个键中允许 {0} 个</translation>
    </message>
    <message>
        <source>{0}, after dropout {1}</source>
        <translation>{0}，暂退法之后 {1}</translation>
    </message>
    <message>
        <source>{0}, sink {1}</source>
        <translation>{0}，汇 {1}</translation>
    </message>
    <message>
        <source>{0}: no</source>
        <translation>{0}：否</translation>
    </message>
    <message>
        <source>{0}: no valid key</source>
        <translation>{0}：无有效键</translation>
    </message>
    <message>
        <source>{0}: yes</source>
        <translation>{0}：是</translation>
    </message>
    <message>
        <source>÷ sum of exp over the row</source>
        <translation>÷ 整行 exp 之和</translation>
    </message>
    <message>
        <source>÷ sum of exp over the row and the sink</source>
        <translation>÷ 整行与汇的 exp 之和</translation>
    </message>
    <message>
        <source>− largest of the row</source>
        <translation>− 行内最大值</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/lessons</name>
    <message>
        <source>A guess within {0} is right.</source>
        <translation>相差不超过 {0} 即算答对。</translation>
    </message>
    <message>
        <source>A number of the run</source>
        <translation>运行中的一个数</translation>
    </message>
    <message>
        <source>A to F</source>
        <translation>A 到 F</translation>
    </message>
    <message>
        <source>Add a choice</source>
        <translation>添加选项</translation>
    </message>
    <message>
        <source>Add the view</source>
        <translation>添加画面</translation>
    </message>
    <message>
        <source>After the step below it</source>
        <translation>移到下一步之后</translation>
    </message>
    <message>
        <source>All controls; the lesson stays at this step</source>
        <translation>显示所有控件；进度保留</translation>
    </message>
    <message>
        <source>All steps of this lesson</source>
        <translation>本课的所有步骤</translation>
    </message>
    <message>
        <source>An expression of the run</source>
        <translation>由运行求值的表达式</translation>
    </message>
    <message>
        <source>An expression that is not true of the step, and true once the task is done: num_heads == 4</source>
        <translation>在这一步不成立、完成任务后成立的表达式：num_heads == 4</translation>
    </message>
    <message>
        <source>An expression that is true of the run, such as weights[0, 0, 0, 1] &gt; 0.5</source>
        <translation>对运行成立的表达式，例如 weights[0, 0, 0, 1] &gt; 0.5</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Before the step above it</source>
        <translation>移到上一步之前</translation>
    </message>
    <message>
        <source>Begin again</source>
        <translation>从头开始</translation>
    </message>
    <message>
        <source>Begin another lesson</source>
        <translation>开始另一课</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>By the run: {0}</source>
        <translation>由运行得出：{0}</translation>
    </message>
    <message>
        <source>By the run: {0} cells</source>
        <translation>由运行得出：{0} 个格子</translation>
    </message>
    <message>
        <source>Cells</source>
        <translation>格子</translation>
    </message>
    <message>
        <source>Cells of the picture to mark</source>
        <translation>在图上标记的格子</translation>
    </message>
    <message>
        <source>Cells to mark</source>
        <translation>待标记的格子</translation>
    </message>
    <message>
        <source>Choice {0}</source>
        <translation>选项 {0}</translation>
    </message>
    <message>
        <source>Choice {0} is the right one</source>
        <translation>选项 {0} 是正确的</translation>
    </message>
    <message>
        <source>Choices</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Choose an answer</source>
        <translation>选择答案</translation>
    </message>
    <message>
        <source>Click, Space</source>
        <translation>单击、空格</translation>
    </message>
    <message>
        <source>Close the editor</source>
        <translation>关闭编辑器</translation>
    </message>
    <message>
        <source>Close the editor; the lesson is kept until the end</source>
        <translation>关闭编辑器；课程会保留到窗口关闭</translation>
    </message>
    <message>
        <source>Close the lesson</source>
        <translation>关闭课程</translation>
    </message>
    <message>
        <source>Close the lesson; the picture stays</source>
        <translation>关闭课程；图像保留</translation>
    </message>
    <message>
        <source>Computing the picture of this step ...</source>
        <translation>正在计算这一步的图 ...</translation>
    </message>
    <message>
        <source>Computing the picture of this step: {0} ...</source>
        <translation>正在计算这一步的图：{0} ...</translation>
    </message>
    <message>
        <source>Continue at step {0}</source>
        <translation>从第 {0} 步继续</translation>
    </message>
    <message>
        <source>Controls: {0}</source>
        <translation>控件：{0}</translation>
    </message>
    <message>
        <source>Ctrl+Y, Ctrl+Shift+Z</source>
        <translation>Ctrl+Y, Ctrl+Shift+Z</translation>
    </message>
    <message>
        <source>Ctrl+Z</source>
        <translation>Ctrl+Z</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Do it as the lesson's author did</source>
        <translation>按课程作者的做法完成</translation>
    </message>
    <message>
        <source>Do not offer it again</source>
        <translation>不再提示</translation>
    </message>
    <message>
        <source>Do the task in the window first: what was changed there is what “Show me” does</source>
        <translation>先在窗口中完成任务：所做的改动就是“示范”的内容</translation>
    </message>
    <message>
        <source>Each choice has a condition, and the one whose condition is true is right</source>
        <translation>每个选项有一个条件，条件成立的就是正确选项</translation>
    </message>
    <message>
        <source>Editor of a lesson</source>
        <translation>课程编辑器</translation>
    </message>
    <message>
        <source>Every question is asked again, from the first step</source>
        <translation>从第一步起，重新提出每个问题</translation>
    </message>
    <message>
        <source>Go to another cell</source>
        <translation>移到另一格</translation>
    </message>
    <message>
        <source>Hint: {0}</source>
        <translation>提示：{0}</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>插入</translation>
    </message>
    <message>
        <source>Insert: {0}</source>
        <translation>插入：{0}</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>要做什么</translation>
    </message>
    <message>
        <source>It comes with the run.</source>
        <translation>随运行结果给出。</translation>
    </message>
    <message>
        <source>It is done if</source>
        <translation>完成的条件</translation>
    </message>
    <message>
        <source>It is these cells.</source>
        <translation>是这些格子。</translation>
    </message>
    <message>
        <source>Larger or smaller text</source>
        <translation>放大或缩小文字</translation>
    </message>
    <message>
        <source>Lecturer's desk - attnviz</source>
        <translation>讲台 - attnviz</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Lesson {0} of {1}</source>
        <translation>第 {0} 课，共 {1} 课</translation>
    </message>
    <message>
        <source>Lesson {0}: {1}</source>
        <translation>第 {0} 课：{1}</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Let the step show what is on screen; its texts stay</source>
        <translation>让这一步显示当前画面；文字不变</translation>
    </message>
    <message>
        <source>Mark a cell, or take its mark away</source>
        <translation>标记格子，或取消标记</translation>
    </message>
    <message>
        <source>Markdown; {weights[0, 0, 0, 1]:.2f} is a number of the run</source>
        <translation>Markdown；{weights[0, 0, 0, 1]:.2f} 是这次运行中的一个数</translation>
    </message>
    <message>
        <source>Marks the right choice</source>
        <translation>标出正确选项</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>My lesson</source>
        <translation>我的课程</translation>
    </message>
    <message>
        <source>New here? Lesson {0}: {1}</source>
        <translation>初次使用？第 {0} 课：{1}</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Next lesson ›</source>
        <translation>下一课 ›</translation>
    </message>
    <message>
        <source>No notes for this step.</source>
        <translation>这一步没有讲稿。</translation>
    </message>
    <message>
        <source>No picture yet</source>
        <translation>尚无图</translation>
    </message>
    <message>
        <source>Notes of the lecturer</source>
        <translation>讲师备注</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数</translation>
    </message>
    <message>
        <source>Numbers and conditions are checked once the step is on screen: press Show.</source>
        <translation>这一步显示在屏幕上之后才能核对数和条件：请按“显示”。</translation>
    </message>
    <message>
        <source>One of up to six choices, each with a reason</source>
        <translation>至多六个选项，各附理由</translation>
    </message>
    <message>
        <source>PgDn</source>
        <translation>PgDn</translation>
    </message>
    <message>
        <source>PgUp</source>
        <translation>PgUp</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Question of a lesson</source>
        <translation>课程的问题</translation>
    </message>
    <message>
        <source>Redo a change of the lesson</source>
        <translation>重做课程的改动</translation>
    </message>
    <message>
        <source>Redo in this lesson</source>
        <translation>重做这一课的改动</translation>
    </message>
    <message>
        <source>Remove choice {0}</source>
        <translation>删除选项 {0}</translation>
    </message>
    <message>
        <source>Save lesson</source>
        <translation>保存课程</translation>
    </message>
    <message>
        <source>Say</source>
        <translation>讲稿</translation>
    </message>
    <message>
        <source>Set the clock to zero</source>
        <translation>计时归零</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show a hint</source>
        <translation>显示提示</translation>
    </message>
    <message>
        <source>Show me: {0}</source>
        <translation>示范：{0}</translation>
    </message>
    <message>
        <source>Show the step in the window</source>
        <translation>在窗口中显示这一步</translation>
    </message>
    <message>
        <source>Something to do in the window; it is checked while the learner acts</source>
        <translation>要在窗口中完成的事；学习者操作时随时核对</translation>
    </message>
    <message>
        <source>Step {0}</source>
        <translation>第 {0} 步</translation>
    </message>
    <message>
        <source>Step: {0}</source>
        <translation>课程步骤：{0}</translation>
    </message>
    <message>
        <source>Stop the clock, or let it run on</source>
        <translation>暂停计时，或继续计时</translation>
    </message>
    <message>
        <source>Take the view</source>
        <translation>换成当前画面</translation>
    </message>
    <message>
        <source>Testing the model on newly drawn sequences ...</source>
        <translation>正在用新抽取的序列测试模型 ...</translation>
    </message>
    <message>
        <source>Text of the step</source>
        <translation>这一步的正文</translation>
    </message>
    <message>
        <source>Text shown after the answer</source>
        <translation>作答之后的话</translation>
    </message>
    <message>
        <source>Text shown once the task is done</source>
        <translation>完成之后的话</translation>
    </message>
    <message>
        <source>The answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>The cells to mark</source>
        <translation>要标记的格子</translation>
    </message>
    <message>
        <source>The controls that the learner sees below this step</source>
        <translation>学习者在这一步下方看到的控件</translation>
    </message>
    <message>
        <source>The desk is for leading a lesson: open one first.</source>
        <translation>讲台用于讲授课程：请先打开一课。</translation>
    </message>
    <message>
        <source>The lesson ends with this step.</source>
        <translation>本课到这一步结束。</translation>
    </message>
    <message>
        <source>The number that is asked for</source>
        <translation>所问的数</translation>
    </message>
    <message>
        <source>The question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>The run decides which is right</source>
        <translation>由运行决定哪个正确</translation>
    </message>
    <message>
        <source>The run's</source>
        <translation>运行结果</translation>
    </message>
    <message>
        <source>The step asks nothing</source>
        <translation>这一步不提问</translation>
    </message>
    <message>
        <source>The step deleted last</source>
        <translation>最后删除的一步</translation>
    </message>
    <message>
        <source>Time of day</source>
        <translation>当前时间</translation>
    </message>
    <message>
        <source>Time on the lecturer's desk</source>
        <translation>讲台上的计时</translation>
    </message>
    <message>
        <source>Title of the lesson</source>
        <translation>课程标题</translation>
    </message>
    <message>
        <source>Title of the step</source>
        <translation>这一步的标题</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>猜测允许的误差</translation>
    </message>
    <message>
        <source>Training to step {0} ...</source>
        <translation>正在训练到第 {0} 步 ...</translation>
    </message>
    <message>
        <source>Try it yourself</source>
        <translation>自己试试</translation>
    </message>
    <message>
        <source>Undo in this lesson</source>
        <translation>撤销这一课的改动</translation>
    </message>
    <message>
        <source>Undo in this lesson (Ctrl+Z in a field)</source>
        <translation>撤销这一课的改动（在字段中按 Ctrl+Z）</translation>
    </message>
    <message>
        <source>Undo the last change of the lesson</source>
        <translation>撤销课程的上一次改动</translation>
    </message>
    <message>
        <source>Undo what was changed here</source>
        <translation>撤消在此所做的更改</translation>
    </message>
    <message>
        <source>Use the screen as the solution</source>
        <translation>把屏幕内容用作解法</translation>
    </message>
    <message>
        <source>What is on screen, after this step</source>
        <translation>当前画面，放在这一步之后</translation>
    </message>
    <message>
        <source>What is on screen, each with its value there</source>
        <translation>屏幕上的内容，各附其值</translation>
    </message>
    <message>
        <source>What the audience sees</source>
        <translation>听众看到的画面</translation>
    </message>
    <message>
        <source>Why is {0} right or wrong?</source>
        <translation>{0} 为什么对或错？</translation>
    </message>
    <message>
        <source>With what was answered and done then</source>
        <translation>保留当时的回答和完成情况</translation>
    </message>
    <message>
        <source>You have read this lesson before, up to step {0} of {1}.</source>
        <translation>你以前读过这一课，读到第 {0} 步，共 {1} 步。</translation>
    </message>
    <message>
        <source>back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>blank</source>
        <translation>遮屏</translation>
    </message>
    <message>
        <source>elapsed
of {0} min</source>
        <translation>已用时间
共 {0} 分钟</translation>
    </message>
    <message>
        <source>freeze</source>
        <translation>定格</translation>
    </message>
    <message>
        <source>lecturer's desk; the audience sees the other window</source>
        <translation>讲台；听众看到的是另一个窗口</translation>
    </message>
    <message>
        <source>light</source>
        <translation>聚光</translation>
    </message>
    <message>
        <source>marked</source>
        <translation>已标记</translation>
    </message>
    <message>
        <source>next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>not marked</source>
        <translation>未标记</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>paused at
of {0} min</source>
        <translation>已暂停
共 {0} 分钟</translation>
    </message>
    <message>
        <source>query {0}, key {1}: {2}</source>
        <translation>查询 {0}，键 {1}：{2}</translation>
    </message>
    <message>
        <source>text size</source>
        <translation>字号</translation>
    </message>
    <message>
        <source>the answer is hidden</source>
        <translation>答案尚未显示</translation>
    </message>
    <message>
        <source>the answer is shown</source>
        <translation>答案已显示</translation>
    </message>
    <message>
        <source>{0} cells differ.</source>
        <translation>有 {0} 格不同。</translation>
    </message>
    <message>
        <source>{0} is right if</source>
        <translation>{0} 正确的条件</translation>
    </message>
    <message>
        <source>{0} of {1} minutes</source>
        <translation>{0}，共 {1} 分钟</translation>
    </message>
    <message>
        <source>○ not true of what is on screen</source>
        <translation>○ 对屏幕内容不成立</translation>
    </message>
    <message>
        <source>○ not yet</source>
        <translation>○ 尚未完成</translation>
    </message>
    <message>
        <source>✓ done</source>
        <translation>✓ 已完成</translation>
    </message>
    <message>
        <source>✓ true of what is on screen</source>
        <translation>✓ 对屏幕内容成立</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/plots</name>
    <message>
        <source>Click, Return</source>
        <translation>单击、Return</translation>
    </message>
    <message>
        <source>Heads of a sweep</source>
        <translation>扫描的头</translation>
    </message>
    <message>
        <source>Open a head on its most extreme run</source>
        <translation>在最极端的一次运行上打开头</translation>
    </message>
    <message>
        <source>Open a head on its most typical run</source>
        <translation>在最典型的一次运行上打开头</translation>
    </message>
    <message>
        <source>Open a run</source>
        <translation>打开一次运行</translation>
    </message>
    <message>
        <source>Open the run</source>
        <translation>打开该运行</translation>
    </message>
    <message>
        <source>Read a head</source>
        <translation>读出一个头</translation>
    </message>
    <message>
        <source>Read a run</source>
        <translation>读出一次运行</translation>
    </message>
    <message>
        <source>Read the previous or next head</source>
        <translation>读出上一个或下一个头</translation>
    </message>
    <message>
        <source>Read the previous or next run</source>
        <translation>读出上一次或下一次运行</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>回车</translation>
    </message>
    <message>
        <source>Shift+Click, Shift+Return</source>
        <translation>Shift+单击、Shift+Return</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>never reached</source>
        <translation>从未达到</translation>
    </message>
    <message>
        <source>no valid key</source>
        <translation>无有效键</translation>
    </message>
    <message>
        <source>no value</source>
        <translation>没有值</translation>
    </message>
    <message>
        <source>{head} is off</source>
        <translation>{head} 已关闭</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/plots/curves</name>
    <message>
        <source>Look at the step before or after, the first or the last</source>
        <translation>回看前一步或后一步、第一步或最后一步</translation>
    </message>
    <message>
        <source>Press to look back at a step</source>
        <translation>按下可回看某一步</translation>
    </message>
    <message>
        <source>Show the head of the nearest curve</source>
        <translation>显示最近曲线的头</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/plots/heads</name>
    <message>
        <source>Clear the box to turn this head off: it then adds nothing to the residual stream</source>
        <translation>取消勾选即关闭此头：它不再向残差流添加任何内容</translation>
    </message>
    <message>
        <source>Heads as points</source>
        <translation>以点表示的头</translation>
    </message>
    <message>
        <source>Map of heads</source>
        <translation>头的分布图</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/plots/lines</name>
    <message>
        <source>Hold a query, or a cell</source>
        <translation>锁定一个查询或一格</translation>
    </message>
    <message>
        <source>Hold the next key</source>
        <translation>锁定相邻的键</translation>
    </message>
    <message>
        <source>Hold the next query</source>
        <translation>锁定相邻的查询</translation>
    </message>
    <message>
        <source>Show the lines of a query, or a key's cell</source>
        <translation>显示一个查询的连线，或一个键的格</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>上、下</translation>
    </message>
    <message>
        <source>Weights of the chosen head as lines</source>
        <translation>以连线表示所选头的权重</translation>
    </message>
    <message>
        <source>of every other query</source>
        <translation>其他各查询的权重</translation>
    </message>
    <message>
        <source>of others the largest</source>
        <translation>其他查询的最大权重</translation>
    </message>
    <message>
        <source>the sink takes</source>
        <translation>汇占</translation>
    </message>
    <message>
        <source>the {0} largest of {1} keys</source>
        <translation>{1} 个键中最大的 {0} 个</translation>
    </message>
    <message>
        <source>weight of “{0}”</source>
        <translation>“{0}”的权重</translation>
    </message>
    <message>
        <source>weight, of every query</source>
        <translation>权重，所有查询</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/plots/matrix</name>
    <message>
        <source> (a pixel shows the largest of its cells; zoom in)</source>
        <translation>（一个像素显示其中各格的最大值；可放大）</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>Choose another head</source>
        <translation>选择另一个头</translation>
    </message>
    <message>
        <source>Colour scale</source>
        <translation>色标</translation>
    </message>
    <message>
        <source>Double click, 0</source>
        <translation>双击、0</translation>
    </message>
    <message>
        <source>Go to another head while a cell is held</source>
        <translation>锁定一格时转到另一个头</translation>
    </message>
    <message>
        <source>Hold a cell, or let go of it</source>
        <translation>锁定一格，或解除锁定</translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>Move the zoomed picture; with a brush, paint</source>
        <translation>移动放大的图；选了画笔时为涂画</translation>
    </message>
    <message>
        <source>Paint the held cell, with a brush chosen</source>
        <translation>选了画笔时，涂画锁定的格</translation>
    </message>
    <message>
        <source>Show a cell in every view</source>
        <translation>在各视图中显示一格</translation>
    </message>
    <message>
        <source>Small heads</source>
        <translation>各头小图</translation>
    </message>
    <message>
        <source>Wheel, +, -</source>
        <translation>滚轮、+、-</translation>
    </message>
    <message>
        <source>columns:</source>
        <translation>列：</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>masked or left out</source>
        <translation>被掩蔽或已排除</translation>
    </message>
    <message>
        <source>not a number</source>
        <translation>不是数（NaN）</translation>
    </message>
    <message>
        <source>row {0}</source>
        <translation>行 {0}</translation>
    </message>
    <message>
        <source>row {0}, column {1}: {2}</source>
        <translation>行 {0}，列 {1}：{2}</translation>
    </message>
    <message>
        <source>row {0}: sum {1}</source>
        <translation>行 {0}：和 {1}</translation>
    </message>
    <message>
        <source>rows:</source>
        <translation>行：</translation>
    </message>
    <message>
        <source>rows: {0}, columns: {1}</source>
        <translation>行：{0}，列：{1}</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/plots/tensors</name>
    <message>
        <source>+ 1 more item</source>
        <translation>+ 另 1 个样本</translation>
    </message>
    <message>
        <source>+ {0} more</source>
        <translation>+ 另 {0} 个</translation>
    </message>
    <message>
        <source>+ {0} more items</source>
        <translation>+ 另 {0} 个样本</translation>
    </message>
    <message>
        <source>Bars, {0}</source>
        <translation>条形图，{0}</translation>
    </message>
    <message>
        <source>Choose a number, before and after</source>
        <translation>选择一个数，看其前后位置</translation>
    </message>
    <message>
        <source>Choose the next number</source>
        <translation>选择下一个数</translation>
    </message>
    <message>
        <source>Click, Left, Right, Home, End</source>
        <translation>单击, Left, Right, Home, End</translation>
    </message>
    <message>
        <source>Heads folded into the batch</source>
        <translation>头并入批量</translation>
    </message>
    <message>
        <source>Order of the bars: by weight or by position in the sequence</source>
        <translation>条形的次序：按权重，或按序列中的位置</translation>
    </message>
    <message>
        <source>Show what a token attends to</source>
        <translation>显示一个词元注意什么</translation>
    </message>
    <message>
        <source>Split and merge</source>
        <translation>拆分与合并</translation>
    </message>
    <message>
        <source>Values that the chosen row pools, and its output</source>
        <translation>所选行汇聚的值及其输出</translation>
    </message>
    <message>
        <source>Weights of the chosen row</source>
        <translation>所选行的权重</translation>
    </message>
    <message>
        <source>and {0} more, all 0</source>
        <translation>另有 {0} 个，全为 0</translation>
    </message>
    <message>
        <source>and {0} more, none larger</source>
        <translation>另有 {0} 个，均不更大</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批量</translation>
    </message>
    <message>
        <source>heads {0}</source>
        <translation>头 {0}</translation>
    </message>
    <message>
        <source>merge of {0}: {1}, {2}</source>
        <translation>合并 {0}：{1}，{2}</translation>
    </message>
    <message>
        <source>output =</source>
        <translation>输出 =</translation>
    </message>
    <message>
        <source>output {0}</source>
        <translation>输出 {0}</translation>
    </message>
    <message>
        <source>replaced by</source>
        <translation>替换为</translation>
    </message>
    <message>
        <source>sorted by position</source>
        <translation>按位置排序</translation>
    </message>
    <message>
        <source>sorted by weight</source>
        <translation>按权重排序</translation>
    </message>
    <message>
        <source>split of {0}: {1}, {2}</source>
        <translation>拆分 {0}：{1}，{2}</translation>
    </message>
    <message>
        <source>{0} · head {1}</source>
        <translation>{0} · 头 {1}</translation>
    </message>
    <message>
        <source>{0} · heads {1}</source>
        <translation>{0} · 头 {1}</translation>
    </message>
    <message>
        <source>· column {0}</source>
        <translation>· 列 {0}</translation>
    </message>
    <message>
        <source>“{0}” looks at</source>
        <translation>“{0}”看向</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/run</name>
    <message>
        <source>A field holds a value that cannot be run; the picture shows the spec without it</source>
        <translation>有字段的内容无法运行；图中的设定不含它</translation>
    </message>
    <message>
        <source>Go to {0}</source>
        <translation>转到 {0}</translation>
    </message>
    <message>
        <source>Last good picture</source>
        <translation>上一张有效的图</translation>
    </message>
    <message>
        <source>PyTorch cannot be loaded: {why}</source>
        <translation>无法加载 PyTorch：{why}</translation>
    </message>
    <message>
        <source>there is not enough memory for it. {0}</source>
        <translation>内存不足。{0}</translation>
    </message>
    <message>
        <source>{0} and {1} more</source>
        <translation>{0}，另有 {1} 项</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/session</name>
    <message>
        <source>A file of this name exists already; its content would be lost.</source>
        <translation>已有同名文件，其内容将丢失。</translation>
    </message>
    <message>
        <source>All files ({0})</source>
        <translation>所有文件 ({0})</translation>
    </message>
    <message>
        <source>All supported files ({0})</source>
        <translation>所有支持的文件 ({0})</translation>
    </message>
    <message>
        <source>Another window or program has changed it since; that would be lost. Save as keeps both.</source>
        <translation>另一个窗口或程序此后改动过它，这些改动将丢失。用“另存为”可两者都保留。</translation>
    </message>
    <message>
        <source>Crash report</source>
        <translation>崩溃报告</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Discard all</source>
        <translation>全部丢弃</translation>
    </message>
    <message>
        <source>Discard the unsaved work of {0} windows?</source>
        <translation>丢弃 {0} 个窗口中未保存的工作吗？</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>忽略</translation>
    </message>
    <message>
        <source>It can be studied like any pretrained model. Undo returns to the training.</source>
        <translation>可以像研究任何预训练模型一样研究它。撤销会回到训练。</translation>
    </message>
    <message>
        <source>It contains versions and code locations, nothing from your experiments.</source>
        <translation>其中只有版本号和代码位置，不含实验内容。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open in the model lab</source>
        <translation>在模型实验室中打开</translation>
    </message>
    <message>
        <source>Opened {0}</source>
        <translation>已打开 {0}</translation>
    </message>
    <message>
        <source>Opening {0} ...</source>
        <translation>正在打开 {0} ...</translation>
    </message>
    <message>
        <source>Path of the report</source>
        <translation>报告的路径</translation>
    </message>
    <message>
        <source>Preset: {0}</source>
        <translation>预设：{0}</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Replace {0}?</source>
        <translation>替换 {0}？</translation>
    </message>
    <message>
        <source>Report ...</source>
        <translation>报告 ...</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Save as a model folder</source>
        <translation>另存为模型文件夹</translation>
    </message>
    <message>
        <source>Save changes to {0}?</source>
        <translation>保存对 {0} 的更改？</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>Saved {0}, the model after step {1}</source>
        <translation>已保存 {0}，即第 {1} 步之后的模型</translation>
    </message>
    <message>
        <source>Sessions ({0})</source>
        <translation>会话 ({0})</translation>
    </message>
    <message>
        <source>The report is on the clipboard.</source>
        <translation>报告已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>Unsaved sessions</source>
        <translation>未保存的会话</translation>
    </message>
    <message>
        <source>Unsaved work</source>
        <translation>未保存的工作</translation>
    </message>
    <message>
        <source>Unsaved work could not be backed up: {0}</source>
        <translation>无法备份未保存的工作：{0}</translation>
    </message>
    <message>
        <source>Unsaved work of a window that ended unexpectedly cannot be read: {0}</source>
        <translation>无法读取意外退出的窗口中未保存的工作：{0}</translation>
    </message>
    <message>
        <source>Unsaved work of a window that ended unexpectedly cannot be restored: {0}</source>
        <translation>无法恢复意外退出的窗口中未保存的工作：{0}</translation>
    </message>
    <message>
        <source>Unsaved work of {0} windows was kept</source>
        <translation>保留了 {0} 个窗口中未保存的工作</translation>
    </message>
    <message>
        <source>Unsaved work was kept: the session of {0}, {1}</source>
        <translation>已保留未保存的工作：{0} 的会话，{1}</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>Your changes will be lost if you do not save them.</source>
        <translation>若不保存，所做的更改将会丢失。</translation>
    </message>
    <message>
        <source>attnviz ended unexpectedly, {0}</source>
        <translation>attnviz 意外退出，{0}</translation>
    </message>
    <message>
        <source>no step has been trained yet</source>
        <translation>尚未训练任何一步</translation>
    </message>
    <message>
        <source>{0} cannot be written</source>
        <translation>无法写入 {0}</translation>
    </message>
    <message>
        <source>{0} files were dropped; drop one at a time.</source>
        <translation>拖入了 {0} 个文件；一次只能拖入一个。</translation>
    </message>
    <message>
        <source>{0} is not a file on this machine.</source>
        <translation>{0} 不是本机上的文件。</translation>
    </message>
    <message>
        <source>{0}[*] - attnviz</source>
        <translation>{0}[*] - attnviz</translation>
    </message>
    <message>
        <source>{path} cannot be opened. Supported: {endings}, and model folders.</source>
        <translation>{path} 不是可以打开的文件。支持：{endings}，以及模型的文件夹。</translation>
    </message>
    <message>
        <source>{path} does not exist, or cannot be read.</source>
        <translation>{path} 不存在，或无法读取。</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/sweeps</name>
    <message>
        <source>1,2,4 or FIRST:LAST or FIRST:LAST:STEP or log(0.0001, 0.1, 20) or @FILE.csv:COLUMN</source>
        <translation>1,2,4 或 FIRST:LAST 或 FIRST:LAST:STEP 或 log(0.0001, 0.1, 20) 或 @FILE.csv:COLUMN</translation>
    </message>
    <message>
        <source>A point for each run, or for each head, with its mean and spread over the runs</source>
        <translation>每次运行一个点，或每个头一个点，带有其在各次运行上的均值与离散程度</translation>
    </message>
    <message>
        <source>A table with a row for each head: means, spreads and roles over the runs</source>
        <translation>每个头一行的表：在各次运行上的均值、标准差与角色</translation>
    </message>
    <message>
        <source>Back to the picture</source>
        <translation>回到图</translation>
    </message>
    <message>
        <source>Choose settings and their values: every combination is run, and the chosen measure is plotted.</source>
        <translation>选择旋钮和它们的值：每个值都运行一次，并画出各次的一个数值。</translation>
    </message>
    <message>
        <source>Colours of heads</source>
        <translation>头的颜色</translation>
    </message>
    <message>
        <source>Copy cell</source>
        <translation>复制单元格</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Each value is run with each of these seeds; empty: with the one of the form</source>
        <translation>每个值都用这些种子各运行一次；留空：用左侧表单中的种子</translation>
    </message>
    <message>
        <source>Head {0} on its most extreme run, {1}</source>
        <translation>头 {0} 在其最极端的运行 {1} 上</translation>
    </message>
    <message>
        <source>Head {0} on its most typical run, {1}</source>
        <translation>头 {0} 在其最典型的运行 {1} 上</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>度量</translation>
    </message>
    <message>
        <source>No head stands out in a role in most of these runs.</source>
        <translation>没有头在这些运行的多数中在某个角色上表现突出。</translation>
    </message>
    <message>
        <source>No run has both numbers of head {0}.</source>
        <translation>没有运行同时有头 {0} 的两个数。</translation>
    </message>
    <message>
        <source>Point at a head to read it, click to open it on its most typical run, Shift+click on its most extreme.</source>
        <translation>指向一个头可读出它，单击在其最典型的运行上打开它，Shift+单击则在最极端的运行上。</translation>
    </message>
    <message>
        <source>Point at a run to read it, click to open it.</source>
        <translation>指向一次运行可读出它，单击可打开它。</translation>
    </message>
    <message>
        <source>Run the sweep</source>
        <translation>运行扫描</translation>
    </message>
    <message>
        <source>Run {0} of the sweep</source>
        <translation>扫描中的第 {0} 次运行</translation>
    </message>
    <message>
        <source>Save heads ...</source>
        <translation>保存头 ...</translation>
    </message>
    <message>
        <source>Save picture ...</source>
        <translation>保存图 ...</translation>
    </message>
    <message>
        <source>Save table ...</source>
        <translation>保存表 ...</translation>
    </message>
    <message>
        <source>Second setting</source>
        <translation>第二个旋钮</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>The cell is on the clipboard.</source>
        <translation>单元格已在剪贴板上。</translation>
    </message>
    <message>
        <source>The command is on the clipboard.</source>
        <translation>命令已在剪贴板上。</translation>
    </message>
    <message>
        <source>The overview names heads by the role in which they stand out in most of the runs</source>
        <translation>总览按头在多数运行中表现突出的角色命名</translation>
    </message>
    <message>
        <source>The overview names heads by {0} texts.</source>
        <translation>总览按 {0} 个文本命名各头。</translation>
    </message>
    <message>
        <source>The picture shows the previous settings: {0}</source>
        <translation>图属于之前的设置：{0}</translation>
    </message>
    <message>
        <source>The same table from a terminal</source>
        <translation>在终端中得到同一张表</translation>
    </message>
    <message>
        <source>The same table in a notebook</source>
        <translation>在笔记本中得到同一张表</translation>
    </message>
    <message>
        <source>The sweep has ended: {0}</source>
        <translation>扫描已结束：{0}</translation>
    </message>
    <message>
        <source>The table of the sweep cannot be read: {0}</source>
        <translation>无法读取扫描的表：{0}</translation>
    </message>
    <message>
        <source>These roles are of another model than the one on screen.</source>
        <translation>这些角色属于另一个模型，而不是屏幕上的那个。</translation>
    </message>
    <message>
        <source>Use these roles</source>
        <translation>采用这些角色</translation>
    </message>
    <message>
        <source>Values from a file</source>
        <translation>来自文件的值</translation>
    </message>
    <message>
        <source>Values from a file: its lines, a column of a table, or a field of JSON lines</source>
        <translation>来自文件的值：各行、表中的一列，或 JSON 各行的一个字段</translation>
    </message>
    <message>
        <source>about {0}</source>
        <translation>约 {0}</translation>
    </message>
    <message>
        <source>by layer</source>
        <translation>按层</translation>
    </message>
    <message>
        <source>by role</source>
        <translation>按角色</translation>
    </message>
    <message>
        <source>every run</source>
        <translation>每次运行</translation>
    </message>
    <message>
        <source>heads, against {0}</source>
        <translation>头，相对于{0}</translation>
    </message>
    <message>
        <source>its table cannot be written in {0}: {1}</source>
        <translation>无法在 {0} 中写入它的表：{1}</translation>
    </message>
    <message>
        <source>no second one</source>
        <translation>没有第二个旋钮</translation>
    </message>
    <message>
        <source>starting ...</source>
        <translation>正在启动 ...</translation>
    </message>
    <message>
        <source>the window sweeps at most {most} runs, not {count}; the command line sweeps more</source>
        <translation>窗口最多扫描 {most} 次运行，而不是 {count} 次；命令行可以扫描更多</translation>
    </message>
    <message>
        <source>{0} failed</source>
        <translation>{0} 次失败</translation>
    </message>
    <message>
        <source>{0} left</source>
        <translation>还剩 {0}</translation>
    </message>
    <message>
        <source>{0} of {1} runs</source>
        <translation>{1} 次运行中的 {0} 次</translation>
    </message>
    <message>
        <source>{0}: never</source>
        <translation>{0}：从未</translation>
    </message>
    <message>
        <source>{0}: none</source>
        <translation>{0}：无</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/widgets</name>
    <message>
        <source>Choose an entry</source>
        <translation>选择一项</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Ctrl+/</source>
        <translation>Ctrl+/</translation>
    </message>
    <message>
        <source>Ctrl+S</source>
        <translation>Ctrl+S</translation>
    </message>
    <message>
        <source>Esc, then Tab</source>
        <translation>Esc，然后 Tab</translation>
    </message>
    <message>
        <source>Indent or unindent the lines</source>
        <translation>增加或减少各行的缩进</translation>
    </message>
    <message>
        <source>Leave the editor</source>
        <translation>离开编辑器</translation>
    </message>
    <message>
        <source>Open menu</source>
        <translation>打开菜单</translation>
    </message>
    <message>
        <source>Own settings</source>
        <translation>自定义设置</translation>
    </message>
    <message>
        <source>Save the file</source>
        <translation>保存文件</translation>
    </message>
    <message>
        <source>Show an earlier step; Run continues from there</source>
        <translation>显示较早的一步；“运行”从那里继续</translation>
    </message>
    <message>
        <source>Step of the training</source>
        <translation>训练的步</translation>
    </message>
    <message>
        <source>Tab indents; Esc, then Tab or Shift+Tab, leaves the editor.</source>
        <translation>Tab 缩进；按 Esc 后再按 Tab 或 Shift+Tab 离开编辑器。</translation>
    </message>
    <message>
        <source>This Python code was not allowed to run: Read and allow ... shows it, and asks again.</source>
        <translation>此 Python 代码尚未获准运行：“阅读并允许 ...”会显示它并再次询问。</translation>
    </message>
    <message>
        <source>Turn the lines into comments, or back</source>
        <translation>把各行变为注释，或变回</translation>
    </message>
    <message>
        <source>Underlined letter</source>
        <translation>带下划线的字母</translation>
    </message>
    <message>
        <source>row {0}, column {1}</source>
        <translation>第 {0} 行第 {1} 列</translation>
    </message>
    <message>
        <source>{0}, changed</source>
        <translation>{0}，已更改</translation>
    </message>
</context>
<context>
    <name>attnviz/gui/window</name>
    <message>
        <source>About attnviz</source>
        <translation>关于 attnviz</translation>
    </message>
    <message>
        <source>Add this view as a step</source>
        <translation>把当前画面添加为一步</translation>
    </message>
    <message>
        <source>Animation ...</source>
        <translation>动画 ...</translation>
    </message>
    <message>
        <source>Any key, Click</source>
        <translation>任意键、单击</translation>
    </message>
    <message>
        <source>Arrow or rail of a panel</source>
        <translation>面板的箭头或侧条</translation>
    </message>
    <message>
        <source>Auto device</source>
        <translation>自动选择设备</translation>
    </message>
    <message>
        <source>Black screen</source>
        <translation>黑屏</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清空</translation>
    </message>
    <message>
        <source>Click to hide</source>
        <translation>单击隐藏</translation>
    </message>
    <message>
        <source>Computing the first picture of this lab ...</source>
        <translation>正在计算这个实验室的第一幅图 ...</translation>
    </message>
    <message>
        <source>Controls</source>
        <translation>控件</translation>
    </message>
    <message>
        <source>Copy as PyTorch</source>
        <translation>复制为 PyTorch</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图</translation>
    </message>
    <message>
        <source>Double click</source>
        <translation>双击</translation>
    </message>
    <message>
        <source>Edge of a panel</source>
        <translation>面板边缘</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Facts of the run</source>
        <translation>运行信息</translation>
    </message>
    <message>
        <source>Figure ...</source>
        <translation>图 ...</translation>
    </message>
    <message>
        <source>Fold or open the controls</source>
        <translation>折叠或展开控件</translation>
    </message>
    <message>
        <source>Fold or open the inspector</source>
        <translation>折叠或展开检查器</translation>
    </message>
    <message>
        <source>Fold or open the panel</source>
        <translation>折叠或展开面板</translation>
    </message>
    <message>
        <source>Fold {0}</source>
        <translation>折叠 {0}</translation>
    </message>
    <message>
        <source>Freeze the picture</source>
        <translation>冻结画面</translation>
    </message>
    <message>
        <source>Frozen: {0}</source>
        <translation>已冻结：{0}</translation>
    </message>
    <message>
        <source>Hide or show the numbers</source>
        <translation>隐藏或显示数值</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Let go of the held cell, close the manual, leave Present</source>
        <translation>解除锁定的格、关闭手册、退出放映</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>浅色或深色</translation>
    </message>
    <message>
        <source>Make the panel wider or narrower</source>
        <translation>加宽或收窄面板</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
    <message>
        <source>Motion between stages</source>
        <translation>阶段间的过渡动画</translation>
    </message>
    <message>
        <source>Next panel</source>
        <translation>下一个面板</translation>
    </message>
    <message>
        <source>Next preset</source>
        <translation>下一个预设</translation>
    </message>
    <message>
        <source>Next stage</source>
        <translation>下一阶段</translation>
    </message>
    <message>
        <source>Next stage, or step of the lesson</source>
        <translation>下一阶段，或课程的下一步</translation>
    </message>
    <message>
        <source>Notes - attnviz</source>
        <translation>笔记 - attnviz</translation>
    </message>
    <message>
        <source>Notes end after {0} characters.</source>
        <translation>笔记最多 {0} 个字符。</translation>
    </message>
    <message>
        <source>Numbers ...</source>
        <translation>数值 ...</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>打开最近</translation>
    </message>
    <message>
        <source>Pace of the training</source>
        <translation>训练速度</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Present</source>
        <translation>放映</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Previous preset</source>
        <translation>上一个预设</translation>
    </message>
    <message>
        <source>Previous stage</source>
        <translation>上一阶段</translation>
    </message>
    <message>
        <source>Previous stage, or step of the lesson</source>
        <translation>上一阶段，或课程的上一步</translation>
    </message>
    <message>
        <source>PyTorch could not be loaded: nothing can be drawn</source>
        <translation>无法加载 PyTorch：不能绘图</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Reset the width of the panel</source>
        <translation>恢复面板的初始宽度</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run or pause a training, where the focused widget has no use for it</source>
        <translation>运行或暂停训练（焦点所在控件不用此键时）</translation>
    </message>
    <message>
        <source>Run plays the training at this pace: {0}</source>
        <translation>“运行”以此速度播放训练：{0}</translation>
    </message>
    <message>
        <source>Save as a model folder ...</source>
        <translation>另存为模型文件夹……</translation>
    </message>
    <message>
        <source>Save with the trained model ...</source>
        <translation>连同训练好的模型保存 ...</translation>
    </message>
    <message>
        <source>Show the new token before or after, where nothing else uses the keys</source>
        <translation>在没有其他用途的地方，显示前一个或后一个新词元</translation>
    </message>
    <message>
        <source>Show the stage or the new token before or after, while no cell is held</source>
        <translation>未锁定任何格时，显示前一个或后一个阶段或新词元</translation>
    </message>
    <message>
        <source>Show the window again</source>
        <translation>重新显示窗口</translation>
    </message>
    <message>
        <source>Spec ...</source>
        <translation>设定 ...</translation>
    </message>
    <message>
        <source>Spotlight on or off</source>
        <translation>打开或关闭聚光</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>What to remember about this session</source>
        <translation>关于此会话要记下的内容</translation>
    </message>
    <message>
        <source>Where the module runs</source>
        <translation>模块在哪里运行</translation>
    </message>
    <message>
        <source>Where weights are learned</source>
        <translation>在哪里学习权重</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>计算中</translation>
    </message>
    <message>
        <source>computing beside</source>
        <translation>后台计算中</translation>
    </message>
    <message>
        <source>draw {0} ms</source>
        <translation>绘制 {0} ms</translation>
    </message>
    <message>
        <source>full speed</source>
        <translation>全速</translation>
    </message>
    <message>
        <source>going back {0} steps to step {1}</source>
        <translation>后退 {0} 步，回到第 {1} 步</translation>
    </message>
    <message>
        <source>going to step {0}</source>
        <translation>前往第 {0} 步</translation>
    </message>
    <message>
        <source>loading PyTorch</source>
        <translation>正在加载 PyTorch</translation>
    </message>
    <message>
        <source>own settings</source>
        <translation>自定义设置</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>stored picture</source>
        <translation>随附的图</translation>
    </message>
    <message>
        <source>stored picture, loading PyTorch</source>
        <translation>随附的图，正在加载 PyTorch</translation>
    </message>
    <message>
        <source>{0} min</source>
        <translation>{0} 分钟</translation>
    </message>
    <message>
        <source>{0} steps/s</source>
        <translation>{0} 步/秒</translation>
    </message>
    <message>
        <source>{0}, seed {1}</source>
        <translation>{0}，种子 {1}</translation>
    </message>
    <message>
        <source>{0}, {1} left</source>
        <translation>{0}，还剩 {1}</translation>
    </message>
    <message>
        <source>{0}. 'attnviz doctor' says what to install.</source>
        <translation>{0}。运行 'attnviz doctor' 可知需安装什么。</translation>
    </message>
    <message>
        <source>{0}. Running on the CPU instead.</source>
        <translation>{0}。改在 CPU 上运行。</translation>
    </message>
</context>
<context>
    <name>resources/presets</name>
    <message>
        <source>30 items of 50 tokens. Inputs of ones: query i spreads 1/i over its i keys.</source>
        <translation>30 个样本，各 50 个词元。输入全为 1：查询 i 给它的 i 个键各 1/i。</translation>
    </message>
    <message>
        <source>96 heads on 64 tokens: as many heads as a layer of a large model has.</source>
        <translation>64 个词元上的 96 个头：与大模型一层的头一样多。</translation>
    </message>
    <message>
        <source>A boxcar of width 0.2 beside the average, a Gaussian of that width and a learned one.</source>
        <translation>带宽 0.2 的矩形核，与平均汇聚、同带宽的高斯核和可学习的高斯核并列。</translation>
    </message>
    <message>
        <source>A function of your own</source>
        <translation>自定义函数</translation>
    </message>
    <message>
        <source>A learned matrix between queries of 3 features and keys of 6, as in Luong's general score.</source>
        <translation>3 维查询与 6 维键之间有一个学习得到的矩阵，如 Luong 的 general 分数。</translation>
    </message>
    <message>
        <source>A pretrained model</source>
        <translation>预训练模型</translation>
    </message>
    <message>
        <source>A score depends on the distance alone: shift the sentence, and none changes.</source>
        <translation>分数只取决于距离：移动句子，没有一个改变。</translation>
    </message>
    <message>
        <source>A sink of logit 0 adds 1 to each sum: a head may attend to nothing at all.</source>
        <translation>logit 为 0 的汇给每个和加 1：一个头可以什么都不关注。</translation>
    </message>
    <message>
        <source>A text, letter by letter</source>
        <translation>逐字母学一段文本</translation>
    </message>
    <message>
        <source>A transformer that learns</source>
        <translation>学习中的 Transformer</translation>
    </message>
    <message>
        <source>A word is four numbers. Three random matrices make its query, its key and its value.</source>
        <translation>一个词是四个数。三个随机矩阵得到它的查询、键和值。</translation>
    </message>
    <message>
        <source>Add two numbers</source>
        <translation>两数相加</translation>
    </message>
    <message>
        <source>Additive, random twin</source>
        <translation>加性注意力，随机版</translation>
    </message>
    <message>
        <source>Additive, textbook</source>
        <translation>加性注意力，教科书版</translation>
    </message>
    <message>
        <source>Another sample, a narrower Gaussian of width 0.3, and a fine grid of queries.</source>
        <translation>另一组样本、带宽 0.3 的较窄高斯核和细密的查询网格。</translation>
    </message>
    <message>
        <source>Another seeded sample: every prediction is the mean of its training outputs.</source>
        <translation>另一种子的一组样本：每个预测都是其训练输出的均值。</translation>
    </message>
    <message>
        <source>Attention pooling</source>
        <translation>注意力汇聚</translation>
    </message>
    <message>
        <source>Average pooling</source>
        <translation>平均汇聚</translation>
    </message>
    <message>
        <source>Average pooling, random twin</source>
        <translation>平均汇聚，随机版</translation>
    </message>
    <message>
        <source>Bilinear scores</source>
        <translation>双线性分数</translation>
    </message>
    <message>
        <source>Causal attention</source>
        <translation>因果注意力</translation>
    </message>
    <message>
        <source>Causal sentence</source>
        <translation>因果掩码下的句子</translation>
    </message>
    <message>
        <source>Cosine scores</source>
        <translation>余弦分数</translation>
    </message>
    <message>
        <source>Cross-attention of two sentences</source>
        <translation>两个句子的交叉注意力</translation>
    </message>
    <message>
        <source>Ctrl+Left, then 2 to 9: it goes on from the token that you choose.</source>
        <translation>用 Ctrl+Left 退回，再按 2 到 9：模型从你选的词元接着写。</translation>
    </message>
    <message>
        <source>Dot product, random twin</source>
        <translation>点积注意力，随机版</translation>
    </message>
    <message>
        <source>Dot product, textbook</source>
        <translation>点积注意力，教科书版</translation>
    </message>
    <message>
        <source>Each point is among its own keys: the loss nearly vanishes, the curve copies the noise.</source>
        <translation>每个点也在自己的键之中：损失几近于零，曲线照抄噪声。</translation>
    </message>
    <message>
        <source>Each score has a weight of its own; rows need not sum to 1.</source>
        <translation>每个分数各有自己的权重；行之和不必为 1。</translation>
    </message>
    <message>
        <source>Eight heads share the keys and values of two: grouped queries. With one: multi-query.</source>
        <translation>八个头共用两个头的键和值：分组查询。只有一个时：多查询。</translation>
    </message>
    <message>
        <source>Eight heads with random weights on a sentence: no word attends to a later one.</source>
        <translation>一个句子上的八个随机权重的头：没有词关注后面的词。</translation>
    </message>
    <message>
        <source>Equal keys get equal weights: 1/2 on 2 keys, 1/6 on 6.</source>
        <translation>键相等则权重相等：2 个键各 1/2，6 个键各 1/6。</translation>
    </message>
    <message>
        <source>Estimators side by side</source>
        <translation>估计器并列比较</translation>
    </message>
    <message>
        <source>Every weight is 1/50: every prediction is the mean of the training outputs, 2.2875.</source>
        <translation>每个权重都是 1/50：每个预测都是训练输出的均值 2.2875。</translation>
    </message>
    <message>
        <source>Five keys for each query, two tokens apart, cover a stretch of nine tokens.</source>
        <translation>每个查询有五个键，间隔两个词元，覆盖九个词元的范围。</translation>
    </message>
    <message>
        <source>Fixed width, random twin</source>
        <translation>固定带宽，随机版</translation>
    </message>
    <message>
        <source>GPT walkthrough</source>
        <translation>GPT 逐步讲解</translation>
    </message>
    <message>
        <source>GPT walkthrough, random twin</source>
        <translation>GPT 逐步讲解，随机版</translation>
    </message>
    <message>
        <source>Grouped queries</source>
        <translation>分组查询</translation>
    </message>
    <message>
        <source>Hidden 10, 5 heads. Inputs of ones: weights 1/3 on 3 keys, 1/2 on 2 keys.</source>
        <translation>隐藏 10，5 个头。输入全为 1：3 个键各 1/3，2 个键各 1/2。</translation>
    </message>
    <message>
        <source>Hidden 10, random twin</source>
        <translation>隐藏 10，随机版</translation>
    </message>
    <message>
        <source>Hidden 10, textbook</source>
        <translation>隐藏 10，教科书版</translation>
    </message>
    <message>
        <source>Hidden 100, 5 heads, lengths 3 and 2. Inputs of ones: every row is even.</source>
        <translation>隐藏 100，5 个头，有效长度 3 和 2。输入全为 1：每行都均匀。</translation>
    </message>
    <message>
        <source>Induction: what repeats</source>
        <translation>归纳：重复的内容</translation>
    </message>
    <message>
        <source>Inside a model that repeats</source>
        <translation>在会重复的模型内部</translation>
    </message>
    <message>
        <source>It keeps writing</source>
        <translation>它一直写下去</translation>
    </message>
    <message>
        <source>Learned attention pooling</source>
        <translation>可学习的注意力汇聚</translation>
    </message>
    <message>
        <source>Learned width, nothing left out</source>
        <translation>可学习带宽，不用留一法</translation>
    </message>
    <message>
        <source>Learned width, random twin</source>
        <translation>可学习带宽，随机版</translation>
    </message>
    <message>
        <source>Learned width, textbook</source>
        <translation>可学习带宽，教科书版</translation>
    </message>
    <message>
        <source>Learning rate 0.5, 5 epochs: w leaps from 0.97 to 15 in the first step.</source>
        <translation>学习率 0.5，5 轮：w 在第一步从 0.97 跃到 15。</translation>
    </message>
    <message>
        <source>Many heads</source>
        <translation>很多头</translation>
    </message>
    <message>
        <source>Mask laboratory</source>
        <translation>掩码实验</translation>
    </message>
    <message>
        <source>Masked softmax, per item</source>
        <translation>掩蔽 softmax，按样本</translation>
    </message>
    <message>
        <source>Masked softmax, per query</source>
        <translation>掩蔽 softmax，按查询</translation>
    </message>
    <message>
        <source>Multi-head, random twin</source>
        <translation>多头注意力，随机版</translation>
    </message>
    <message>
        <source>Multi-head, textbook</source>
        <translation>多头注意力，教科书版</translation>
    </message>
    <message>
        <source>Normed and not scaled: with 8 features a score is 8 × a cosine, as in Swin V2.</source>
        <translation>归一化且不缩放：8 维时分数是余弦的 8 倍，如 Swin V2。</translation>
    </message>
    <message>
        <source>One X is queries, keys and values. Its tokens are equal: every row is even.</source>
        <translation>同一个 X 既是查询，又是键和值。词元都相等：每行都均匀。</translation>
    </message>
    <message>
        <source>One global token joins all others, which attend to their neighbours alone.</source>
        <translation>一个全局词元连接所有其他词元，它们只关注各自的邻居。</translation>
    </message>
    <message>
        <source>Queries of size 20, keys of size 2. Equal keys: weights 1/2 on 2 keys, 1/6 on 6.</source>
        <translation>查询 20 维，键 2 维。键相等：2 个键各 1/2，6 个键各 1/6。</translation>
    </message>
    <message>
        <source>Queries, keys, values</source>
        <translation>查询、键、值</translation>
    </message>
    <message>
        <source>Rotary positions over distance</source>
        <translation>旋转位置编码随距离的变化</translation>
    </message>
    <message>
        <source>Run: a segment repeats, and in one leap heads of two layers learn to continue it.</source>
        <translation>运行：一个片段再次出现，两层的头在一次跃升中学会续写它。</translation>
    </message>
    <message>
        <source>Run: a small model learns a rhyme by heart; then Write lets it go on from any beginning.</source>
        <translation>运行：小模型背下一首童谣；然后用“续写”让它从任意开头写下去。</translation>
    </message>
    <message>
        <source>Run: after the bar the model writes the symbols backwards, looking ever further back.</source>
        <translation>运行：在竖线之后，模型倒着写出各符号，看得越来越靠前。</translation>
    </message>
    <message>
        <source>Run: after the bar the model writes the symbols once more; it must find its place.</source>
        <translation>运行：在竖线之后，模型把各符号再写一遍；它必须找到写到了哪里。</translation>
    </message>
    <message>
        <source>Run: the digits of a sum, the ones first, so that each carry is known when it is needed.</source>
        <translation>运行：逐位写出和，先写个位，这样需要进位时已知进位。</translation>
    </message>
    <message>
        <source>Run: the model writes the symbols in the order of the alphabet; it must count them all.</source>
        <translation>运行：模型按字母顺序写出各符号；它必须数清所有符号。</translation>
    </message>
    <message>
        <source>Run: w grows from 0.9 to 3.9, the kernel narrows, and the curve learns to bend.</source>
        <translation>运行：w 从 0.9 增到 3.9，核变窄，曲线学会弯曲。</translation>
    </message>
    <message>
        <source>Scores of shape (2, 2, 4) with valid lengths 2 and 3, one for each batch item.</source>
        <translation>形状为 (2, 2, 4) 的分数，有效长度 2 和 3，批量中每个样本一个。</translation>
    </message>
    <message>
        <source>Scoring functions</source>
        <translation>注意力打分函数</translation>
    </message>
    <message>
        <source>Self-attention, random twin</source>
        <translation>自注意力，随机版</translation>
    </message>
    <message>
        <source>Self-attention, textbook</source>
        <translation>自注意力，教科书版</translation>
    </message>
    <message>
        <source>Several learned widths</source>
        <translation>多个可学习带宽</translation>
    </message>
    <message>
        <source>Sigmoid attention</source>
        <translation>Sigmoid 注意力</translation>
    </message>
    <message>
        <source>Softmax off by one</source>
        <translation>分母加一的 softmax</translation>
    </message>
    <message>
        <source>The question is read in both directions, the answer is written causally.</source>
        <translation>问题双向阅读，回答因果地写出。</translation>
    </message>
    <message>
        <source>The same scores, with a valid length for each query: 1 and 3, then 2 and 4.</source>
        <translation>相同的分数，每个查询各有有效长度：先是 1 和 3，再是 2 和 4。</translation>
    </message>
    <message>
        <source>The same shapes with random inputs: each head has two features.</source>
        <translation>形状相同，输入随机：每个头有两个特征。</translation>
    </message>
    <message>
        <source>The same shapes with random inputs: every head differs.</source>
        <translation>形状相同，输入随机：各头都不同。</translation>
    </message>
    <message>
        <source>The same shapes with random queries and keys: the weights differ.</source>
        <translation>形状相同，查询和键随机：权重各不相同。</translation>
    </message>
    <message>
        <source>The same shapes with random tokens: every head differs.</source>
        <translation>形状相同，词元随机：各头都不同。</translation>
    </message>
    <message>
        <source>The textbook's training on another sample, drawn on a fine grid of queries.</source>
        <translation>教科书中的训练用于另一组样本，在细密的查询网格上绘制。</translation>
    </message>
    <message>
        <source>The walkthrough's shapes with random tokens.</source>
        <translation>与逐步讲解形状相同，词元随机。</translation>
    </message>
    <message>
        <source>The words of one sentence attend to those of another; the weights are random.</source>
        <translation>一个句子的词关注另一个句子的词；权重是随机的。</translation>
    </message>
    <message>
        <source>Three heads, each with its own w, are averaged by learned shares (an extension).</source>
        <translation>三个头各有自己的 w，按学得的占比求平均（扩展内容）。</translation>
    </message>
    <message>
        <source>Turn head 1.2 off (ablate it): it attends only to itself, yet the prediction needs it.</source>
        <translation>关闭头 1.2：它只看自己，而预测离不开它。</translation>
    </message>
    <message>
        <source>Two documents, a causal window of 4 and painted cells leave one query without a key.</source>
        <translation>两个文档、大小为 4 的因果窗口和涂画的格，使一个查询没有键。</translation>
    </message>
    <message>
        <source>Type a formula of x; the training points are its values plus noise.</source>
        <translation>输入关于 x 的公式；训练点为其值加噪声。</translation>
    </message>
    <message>
        <source>Unscaled products of 512 features: one or two keys take nearly all. Turn the scaling on.</source>
        <translation>512 个特征的未缩放点积：一两个键几乎占去全部。打开缩放试试。</translation>
    </message>
    <message>
        <source>Variants of attention</source>
        <translation>注意力的变体</translation>
    </message>
    <message>
        <source>Weights below a threshold are exactly 0: most keys are left out.</source>
        <translation>低于阈值的权重恰好为 0：多数键被排除。</translation>
    </message>
    <message>
        <source>Weights fall with the distance from the query: a Gaussian kernel of width 1.</source>
        <translation>权重随到查询的距离下降：带宽为 1 的高斯核。</translation>
    </message>
    <message>
        <source>Why the root of d</source>
        <translation>为何除以 √d</translation>
    </message>
</context>
</TS>
